import { endpoint } from "#lib/http";
import { readiness } from "#server/health";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(
  {
    /** 200 when database and migrations are ready, else 503. */
    GET: async () => {
      const status = await readiness();
      return Response.json({ status }, { status: status === "ok" ? 200 : 503 });
    },
  },
  { ignoresCaller: true },
);
