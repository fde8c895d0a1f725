import { endpoint } from "#lib/http";
import { resendConfirmation } from "#server/email-confirmation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** Sends the letter that confirms the viewer's address again. 200, or the errors of `resendConfirmation`. */
  POST: async (_request, { viewer, visit }) => {
    await resendConfirmation(viewer, visit);
    return Response.json({ verify: { success: true } });
  },
});
