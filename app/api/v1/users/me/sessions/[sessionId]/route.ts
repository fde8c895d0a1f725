import { endpoint } from "#lib/http";
import { endSession } from "#server/sessions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint<{ sessionId: string }>({
  /** Ends one of the viewer's sessions. 204, or 404 SESSION_NOT_FOUND. */
  DELETE: async (_request, { viewer, params }) => {
    await endSession(viewer, params.sessionId);
    return new Response(null, { status: 204 });
  },
});
