import { endpoint } from "#lib/http";
import { signUp } from "#server/users";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(
  {
    /** Creates an account and signs it in. 201, or the errors of `signUp`. */
    POST: async (_request, { visit, body }) => Response.json({ user: await signUp(visit, body) }, { status: 201 }),
  },
  { ignoresToken: true },
);
