import { endpoint, readQuery } from "#lib/http";
import { searchEverything } from "#server/command-palette";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** What the command palette offers for what was typed. 200, or the errors of `searchEverything`. */
  GET: async (request, { viewer }) => Response.json({ results: await searchEverything(viewer, readQuery(request)) }),
});
