import { endpoint, readJson } from "#lib/http";
import { logIn } from "#server/login";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(
  {
    /** Signs a person in; sets no cookie. 200, or the errors of `logIn`. */
    POST: async (request, { visit }) => Response.json({ user: await logIn(visit, await readJson(request)) }),
  },
  { ignoresToken: true },
);
