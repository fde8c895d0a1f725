import { endpoint } from "#lib/http";
import { resetPassword } from "#server/password-reset";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** Sets a new password by a mailed link's token. 200, or the errors of `resetPassword`. */
  POST: async (_request, { visit, body }) => {
    await resetPassword(visit, body);
    return Response.json({ reset: { success: true } });
  },
});
