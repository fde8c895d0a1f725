import { after } from "next/server";
import { endpoint } from "#lib/http";
import { requestPasswordReset } from "#server/password-reset";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** Sends a letter with a link for a new password, if the address has an account. 200 either way, or the errors of `requestPasswordReset`. */
  POST: async (_request, { visit, body }) => {
    after(await requestPasswordReset(visit, body));
    return Response.json({ reset: { success: true } });
  },
});
