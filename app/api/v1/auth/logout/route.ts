import { endpoint } from "#lib/http";
import { logOut } from "#server/sessions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** Ends the session of the token that the request carries. 204, or 401. */
  POST: async (_request, { viewer }) => {
    await logOut(viewer);
    return new Response(null, { status: 204 });
  },
});
