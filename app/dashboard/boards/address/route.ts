import { endpoint, readQuery } from "#lib/http";
import { checkUrl } from "#server/boards/urls";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** What a typed address becomes, and whether a board can have it: for the form, while it is filled. 200, or the errors of `checkUrl`. */
  GET: async (request, { viewer }) => Response.json(await checkUrl(viewer, readQuery(request))),
});
