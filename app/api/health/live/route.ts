import { endpoint } from "#lib/http";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(
  {
    /** 200 while the process runs; touches nothing. */
    GET: () => Response.json({ status: "ok" }),
  },
  { ignoresCaller: true },
);
