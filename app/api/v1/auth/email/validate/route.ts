import { endpoint } from "#lib/http";
import { confirmEmail } from "#server/email-confirmation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** Confirms the address that a mailed link was sent to. 200, or 400 INVALID_TOKEN. */
  POST: async (_request, { body }) => {
    await confirmEmail(body);
    return Response.json({ verify: { success: true } });
  },
});
