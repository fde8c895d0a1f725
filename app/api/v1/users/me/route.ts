import { endpoint } from "#lib/http";
import { getOwnUser, toOwnUserJson, updateOwnUser } from "#server/users";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** The signed-in person's own account. 200, or 401. */
  GET: async (_request, { viewer, visit }) => Response.json({ user: await toOwnUserJson(visit, await getOwnUser(viewer)) }),

  /** Changes it. 200, or the errors of `updateOwnUser`. */
  PATCH: async (_request, { viewer, visit, body }) => Response.json({ user: await toOwnUserJson(visit, await updateOwnUser(viewer, visit, body)) }),
});
