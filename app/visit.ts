import { cookies, headers } from "next/headers";
import { redirect, unstable_rethrow } from "next/navigation";
import { connection } from "next/server";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { markMakeshift } from "#lib/answer";
import { deviceCookie, knownDevice, sealDevice, sealSessionToken, sessionCookie, type Viewer, viewerOfCookie } from "#lib/auth";
import { logFailure } from "#lib/failures";
import { FRONT_HEADERS, type Visit, visitOf } from "#lib/visit";
import { authorize, can, type Permission } from "#server/permissions";
import { BEFORE_SETUP, getSite, lastKnownSite, publicOrigin, type Site } from "#server/settings";
import { getOwnUser } from "#server/users";
import { withQuery } from "./urls.ts";

/** Who is signed in. */
export type SignedIn = NonNullable<Viewer>;

/** The circumstances of the request being answered. */
export const currentVisit = cache(async (): Promise<Visit> => visitOf(await headers()));

/** Who is asking, by the browser's session cookie; null for anyone. */
export const currentViewer = cache(async (): Promise<Viewer> => {
  const { name } = sessionCookie(await currentVisit());
  const sealed = (await cookies()).get(name)?.value;
  return sealed ? viewerOfCookie(sealed) : null;
});

/** The signed-in person's own account; null for anyone. */
export const currentUser = cache(async () => {
  const viewer = await currentViewer();
  return viewer && getOwnUser(viewer);
});

/** The nonce with which this page's policy lets its own scripts and styles stand in it. */
export async function currentNonce(): Promise<string | undefined> {
  const policy = (await headers()).get("content-security-policy") ?? "";
  return /'nonce-([^']+)'/.exec(policy)?.[1];
}

/** What public pages show of the site: only of one that somebody asked for a page, for the build opens no database. */
export const currentSettings = cache(async (): Promise<Site> => {
  await connection();
  return getSite();
});

/** The site's own public origin; where that cannot be had, as when the database is away, the one it was asked at. */
export async function currentSiteUrl(): Promise<string> {
  const { siteUrl } = await currentSettings().catch(() => BEFORE_SETUP);
  return publicOrigin(siteUrl, await currentVisit());
}

/** The site's time zone; while the database is away, the last that was known. */
export async function siteTimeZone(): Promise<string> {
  try {
    return (await currentSettings()).timeZone;
  } catch (error) {
    unstable_rethrow(error);
    return lastKnownSite()?.timeZone ?? "UTC";
  }
}

/** Whether the site is set up. */
export async function isSiteSetUp(): Promise<boolean> {
  return (await currentSettings()).isSetUp;
}

/** What surrounds a page. Where it cannot be had, as when the database is away, it is bare but for what the site was last known as, and the page itself says what is the matter. */
export const currentFrame = cache(async () => {
  try {
    const [settings, viewer, user] = await Promise.all([currentSettings(), currentViewer(), currentUser()]);
    return { ...(await withDefaultTitle(settings)), user, canManage: can(viewer, "board:update") };
  } catch (error) {
    unstable_rethrow(error);
    logFailure(error, { requestId: (await headers()).get(FRONT_HEADERS.requestId), what: "a page stands without its frame" });
    markMakeshift();
    // A name that is not known is none: another than the site's own would be wrong.
    const site = lastKnownSite() ?? { ...BEFORE_SETUP, title: "" };
    // Its logo is where nothing can be read just now.
    return { ...site, logo: null, isSetUp: false, allowSignup: false, user: null, canManage: false };
  }
});

/** Before its owner gives it a name, a site is called Feedback in the reader's language. */
async function withDefaultTitle<Site extends { title: string; isSetUp: boolean }>(site: Site): Promise<Site> {
  return site.isSetUp ? site : { ...site, title: (await getTranslations("setup"))("siteTitleDefault") };
}

/** Leads to the set-up until the site is set up. */
export async function requireSetUp(): Promise<void> {
  if (!(await isSiteSetUp())) redirect("/setup");
}

/**
 * The signed-in viewer of a team's page at `path`, which shows what `query` asks for, who has `permission`. Who is not signed in is led there first.
 * @throws AppError FORBIDDEN
 */
export async function requirePermission(permission: Permission, path: string, query: Record<string, string | undefined> = {}): Promise<SignedIn> {
  const viewer = await currentViewer();
  // What was just done is over by then.
  if (!viewer) redirect(withQuery("/login", { next: withQuery(path, { ...query, notice: undefined }) }));
  authorize(viewer, permission);
  return viewer;
}

/** Signs this browser in: gives it the session that `authToken` belongs to, and lets it be known again. Only in a form's action. */
export async function startBrowserSession({ authToken, email }: { authToken: string; email: string }): Promise<void> {
  const { name, options } = sessionCookie(await currentVisit());
  (await cookies()).set(name, await sealSessionToken(authToken), options);
  await rememberBrowser(email);
}

/** Lets this browser be known again as one that `email` has signed in with, by the password as it is now; where that fails it stays strange. Only in a form's action. */
export async function rememberBrowser(email: string): Promise<void> {
  const visit = await currentVisit();
  const { name, options } = deviceCookie(visit);
  await andIfPossible(async () => {
    if (!(await knownDevice(visit, email))) (await cookies()).set(name, await sealDevice(email), options);
  });
}

/** Does what is good to have once a form's work is done. What fails here is let be: what is done must not be shown as if it were not. */
export async function andIfPossible(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    unstable_rethrow(error);
    logFailure(error, { requestId: (await headers()).get(FRONT_HEADERS.requestId), what: "what follows a form's work could not be done" });
  }
}

/** Takes this browser's session cookie away. Only in a form's action. */
export async function endBrowserSession(): Promise<void> {
  const { name, options } = sessionCookie(await currentVisit());
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}
