import { endpoint, readJson } from "#lib/http";
import { confirmEmail } from "#server/email-confirmation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** Confirms the address that a mailed link was sent to. 200, or 400 INVALID_TOKEN. */
  POST: async (request) => {
    await confirmEmail(await readJson(request));
    return Response.json({ verify: { success: true } });
  },
});
