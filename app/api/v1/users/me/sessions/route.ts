import { endpoint } from "#lib/http";
import { endOtherSessions, listSessions } from "#server/sessions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** The viewer's living sessions. 200, or 401. */
  GET: async (_request, { viewer }) => Response.json({ sessions: await listSessions(viewer) }),

  /** Ends all of them but the current one. 204, or 401. */
  DELETE: async (_request, { viewer }) => {
    await endOtherSessions(viewer);
    return new Response(null, { status: 204 });
  },
});
