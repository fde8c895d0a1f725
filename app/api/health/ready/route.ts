import { SOON_SECONDS } from "#lib/errors";
import { endpoint } from "#lib/http";
import { readiness } from "#server/health";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(
  {
    /** 200 when database and migrations are ready, else 503. */
    GET: async () => {
      const status = await readiness();
      return status === "ok" ? Response.json({ status }) : Response.json({ status }, { status: 503, headers: { "Retry-After": String(SOON_SECONDS) } });
    },
  },
  { ignoresCaller: true },
);
