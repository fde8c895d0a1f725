import { cookies, headers } from "next/headers";
import { forbidden, notFound, redirect } from "next/navigation";
import { cache } from "react";
import { sealSessionToken, sessionCookie, viewerOfCookie, type Viewer } from "#lib/auth";
import { knownError } from "#lib/http";
import { visitOf, type Visit } from "#lib/visit";
import { can, type Permission } from "#server/permissions";
import { getPublicSettings } from "#server/settings";
import { isSetUp } from "#server/setup";
import { getOwnUser } from "#server/users";

type SignedIn = NonNullable<Viewer>;

/** The circumstances of the request being answered. */
export const currentVisit = cache(async (): Promise<Visit> => visitOf(await headers()));

/** Who is asking, by the browser's session cookie; null for anyone. */
export const currentViewer = cache(async (): Promise<Viewer> => {
  const { name } = sessionCookie((await currentVisit()).ownOrigin);
  const sealed = (await cookies()).get(name)?.value;
  return sealed ? viewerOfCookie(sealed) : null;
});

/** The signed-in person's own account; null for anyone. */
export const currentUser = cache(async () => {
  const viewer = await currentViewer();
  return viewer && getOwnUser(viewer, await currentVisit());
});

/** What public pages show of the site. */
export const currentSettings = cache(getPublicSettings);

/** Whether the site has an owner yet. */
export const hasOwner = cache(isSetUp);

/** Leads to the set-up until the site has an owner. Every page but that one calls it. */
export async function requireSetUp(): Promise<void> {
  if (!(await hasOwner())) redirect("/setup");
}

/** The signed-in viewer of a team's page at `path`, who has `permission`. Others are led to sign in, or told that they may not. */
export async function requirePermission(permission: Permission, path: string): Promise<SignedIn> {
  await requireSetUp();
  const viewer = await currentViewer();
  if (!viewer) redirect(`/login?next=${encodeURIComponent(path)}`);
  if (!can(viewer, permission)) forbidden();
  return viewer;
}

/** What `answer` brings, or the page that says that there is no such thing. */
export async function orNotFound<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (knownError(error)?.status === 404) notFound();
    throw error;
  }
}

/** Signs this browser in: gives it the session that `authToken` belongs to. Only in a form's action. */
export async function startBrowserSession(authToken: string): Promise<void> {
  const { name, options } = sessionCookie((await currentVisit()).ownOrigin);
  (await cookies()).set(name, await sealSessionToken(authToken), options);
}

/** Takes this browser's session cookie away. Only in a form's action. */
export async function endBrowserSession(): Promise<void> {
  const { name, options } = sessionCookie((await currentVisit()).ownOrigin);
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}
