import { cacheableJson, endpoint } from "#lib/http";
import { openApiDocument } from "#server/openapi";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** The OpenAPI 3.1 document of this API. 200 or 304. */
  GET: async (request, { viewer }) => cacheableJson(request, viewer, openApiDocument()),
});
