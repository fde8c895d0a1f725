import { endpoint } from "#lib/http";
import { isSetUp, setUp } from "#server/setup";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(
  {
    /** Whether set-up was done. 200. */
    GET: async () => Response.json({ is_setup: await isSetUp() }),

    /** Creates the owner's account and the site. 201, or the errors of `setUp`. */
    POST: async (_request, { visit, body }) => Response.json({ user: await setUp(visit, body) }, { status: 201 }),
  },
  { ignoresToken: true },
);
