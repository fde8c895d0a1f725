import { readFileSync } from "node:fs";

/** The least that somebody has to be. */
export type Least = "anyone" | "member" | "owner";

/** Every operation of the API. */
export const OPERATIONS: Record<string, Least> = {
  "GET /auth/setup": "anyone",
  "POST /auth/setup": "anyone",
  "POST /auth/signup": "anyone",
  "POST /auth/login": "anyone",
  "POST /auth/logout": "member",
  "POST /auth/email/verify": "member",
  "POST /auth/email/validate": "anyone",
  "POST /auth/password/reset": "anyone",
  "POST /auth/password/validate": "anyone",
  "GET /boards": "anyone",
  "POST /boards": "owner",
  "GET /boards/{boardId}": "anyone",
  "PATCH /boards/{boardId}": "owner",
  "DELETE /boards/{boardId}": "owner",
  "GET /settings/site": "anyone",
  "PATCH /settings/site": "owner",
  "GET /users/me": "member",
  "PATCH /users/me": "member",
  "GET /users/me/sessions": "member",
  "DELETE /users/me/sessions": "member",
  "DELETE /users/me/sessions/{sessionId}": "member",
};

/** Every server action: what a form sends to, and whoever knows its id. */
export const ACTIONS: Record<string, Least> = {
  "app/actions.ts chooseTheme": "anyone",
  "app/actions.ts chooseLocale": "anyone",
  "app/actions.ts chooseShortcuts": "anyone",
  "app/(auth)/actions.ts signOut": "anyone",
  "app/(auth)/confirm-address/actions.ts confirmAddress": "anyone",
  "app/(auth)/confirm-address/actions.ts sendLetterAgain": "member",
  "app/(auth)/login/actions.ts signIn": "anyone",
  "app/(auth)/reset-password/actions.ts askForLetter": "anyone",
  "app/(auth)/reset-password/actions.ts setNewPassword": "anyone",
  "app/(auth)/signup/actions.ts createAccount": "anyone",
  "app/setup/actions.ts checkOwner": "anyone",
  "app/setup/actions.ts setUpSite": "anyone",
  "app/me/actions.ts saveName": "member",
  "app/me/actions.ts savePicture": "member",
  "app/me/actions.ts savePassword": "member",
  "app/me/actions.ts savePreferences": "member",
  "app/me/actions.ts sendConfirmation": "member",
  "app/me/actions.ts signOutDevice": "member",
  "app/me/actions.ts signOutElsewhere": "member",
  "app/dashboard/actions.ts bringBack": "owner",
  "app/dashboard/actions.ts putAway": "owner",
  "app/dashboard/boards/actions.ts create": "owner",
  "app/dashboard/boards/actions.ts update": "owner",
  "app/dashboard/boards/actions.ts move": "owner",
  "app/dashboard/boards/actions.ts remove": "owner",
  "app/dashboard/boards/actions.ts restore": "owner",
  "app/dashboard/outbox/actions.ts retry": "owner",
  "app/dashboard/settings/actions.ts saveAccess": "owner",
  "app/dashboard/settings/actions.ts saveBranding": "owner",
  "app/dashboard/settings/actions.ts saveGeneral": "owner",
  "app/dashboard/settings/actions.ts tryMail": "owner",
  "app/dashboard/users/actions.ts block": "owner",
  "app/dashboard/users/actions.ts unblock": "owner",
  "app/dashboard/users/actions.ts endSession": "owner",
  "app/dashboard/users/actions.ts endSessions": "owner",
};

/** Every page, and every other address beside the API's operations, as its folder in `app/` says it. */
export const ADDRESSES: Record<string, Least> = {
  "/": "anyone",
  "/boards": "anyone",
  "/boards/[slug]": "anyone",
  "/boards/[slug]/card.png": "anyone",
  "/boards/[slug]/feed.atom": "anyone",
  "/search": "anyone",
  "/[...path]": "anyone",
  "/login": "anyone",
  "/signup": "anyone",
  "/reset-password": "anyone",
  "/confirm-address": "anyone",
  "/setup": "anyone",
  "/gallery": "anyone",
  "/api/[[...path]]": "anyone",
  "/api/auth/[...nextauth]": "anyone",
  "/api/health/live": "anyone",
  "/api/health/ready": "anyone",
  "/api/v1/docs": "anyone",
  "/api/v1/openapi.json": "anyone",
  "/avatars/[userId]": "anyone",
  "/images/[imageId]": "anyone",
  "/icons/[icon]": "anyone",
  "/card.png": "anyone",
  "/feed.atom": "anyone",
  "/manifest.webmanifest": "anyone",
  "/robots.txt": "anyone",
  "/sitemap.xml": "anyone",
  "/sitemaps/[page]": "anyone",
  "/.well-known/change-password": "anyone",
  "/.well-known/security.txt": "anyone",
  "/find": "member",
  "/me": "member",
  "/dashboard": "owner",
  "/dashboard/activity.csv": "owner",
  "/dashboard/boards": "owner",
  "/dashboard/boards/new": "owner",
  "/dashboard/boards/address": "owner",
  "/dashboard/boards/[boardId]": "owner",
  "/dashboard/boards/[boardId]/delete": "owner",
  "/dashboard/outbox": "owner",
  "/dashboard/outbox/[mailId]": "owner",
  "/dashboard/outbox/[mailId]/letter": "owner",
  "/dashboard/people.csv": "owner",
  "/dashboard/settings": "owner",
  "/dashboard/settings/about": "owner",
  "/dashboard/settings/access": "owner",
  "/dashboard/settings/branding": "owner",
  "/dashboard/settings/data": "owner",
  "/dashboard/settings/mail": "owner",
  "/dashboard/users": "owner",
  "/dashboard/users/[userId]": "owner",
};

/** An id that nothing has. */
export const NOBODY_KNOWS = "0190a8a0-0000-7000-8000-00000000dead";

export type Action = { name: string; id: string; pages: string[]; takesState: boolean };

/** Every action of the build, with the pages that carry it. */
export function actions(): Action[] {
  const manifest: { node: Record<string, { filename: string; exportedName: string; workers: Record<string, unknown> }> } = JSON.parse(
    readFileSync(".next/server/server-reference-manifest.json", "utf8"),
  );
  return Object.entries(manifest.node).map(([id, { filename, exportedName, workers }]) => ({
    id,
    name: `${filename} ${exportedName}`,
    pages: Object.keys(workers),
    takesState: !filename.startsWith("app/actions.ts") && exportedName !== "signOut",
  }));
}

/** An address that the file's page answers: `app/(public)/boards/[slug]/page` is /boards/x. */
export function pathOf(file: string): string {
  const folders = file.split("/").slice(1, -1);
  const parts = folders.filter((part) => part && !/^\(.*\)$/.test(part)).map((part) => (part.startsWith("[") ? NOBODY_KNOWS : part));
  return `/${parts.join("/")}`;
}

/** Every address that the build answers, of whatever kind its file is; Next's own pages for what is not found or fails are no addresses. */
export function addresses(): string[] {
  const manifest: Record<string, string> = JSON.parse(readFileSync(".next/app-path-routes-manifest.json", "utf8"));
  return Object.values(manifest).filter((address) => !address.startsWith("/_"));
}

type ActionCall = { url: string; name: string; fields: Record<string, string>; cookie?: string };

/** Calls a server action as React does, its arguments encoded as a form and its id in a header; returns the code that it failed with, if any. */
export async function callAction({ url, name, fields, cookie = "" }: ActionCall): Promise<string | null> {
  const action = actions().find((one) => one.name === name);
  if (!action) throw new Error(`The build has no action ${name}`);
  const [page = ""] = action.pages.toSorted((one, other) => Number(one.includes("[")) - Number(other.includes("[")));
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.set(`_1_${field}`, value);
  body.set("0", action.takesState ? '[{},"$K1"]' : '["$K1"]');
  const headers = { origin: url, "sec-fetch-site": "same-origin", cookie, "next-action": action.id };
  const response = await fetch(`${url}${pathOf(page)}`, { method: "POST", body, headers, redirect: "manual" });
  if (response.status >= 500) throw new Error(`${name} answered ${response.status}`);
  return /"code":"([A-Z_]+)"/.exec(await response.text())?.[1] ?? null;
}
