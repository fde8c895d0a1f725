import { endpoint } from "#lib/http";
import { siteUrl } from "#server/settings";
import { getOwnUser, toOwnUserJson, updateOwnUser } from "#server/users";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** The signed-in person's own account. 200, or 401. */
  GET: async (_request, { viewer, visit }) => Response.json({ user: toOwnUserJson(await siteUrl(visit), await getOwnUser(viewer)) }),

  /** Changes it. 200, or the errors of `updateOwnUser`. */
  PATCH: async (_request, { viewer, visit, body }) => {
    // Asked before anything is written: what fails then has changed nothing.
    const site = await siteUrl(visit);
    return Response.json({ user: toOwnUserJson(site, await updateOwnUser(viewer, visit, body)) });
  },
});
