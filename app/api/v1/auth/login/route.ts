import { endpoint } from "#lib/http";
import { logIn } from "#server/login";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(
  {
    /** Signs a person in; sets no cookie. 200, or the errors of `logIn`. */
    POST: async (_request, { visit, body }) => Response.json({ user: await logIn(visit, body) }),
  },
  { ignoresToken: true },
);
