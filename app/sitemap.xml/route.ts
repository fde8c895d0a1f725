import { cacheable, endpoint } from "#lib/http";
import { writeSitemap } from "#server/sitemaps";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** The public pages, or where they are listed. 200 or 304. */
  GET: async (request, { visit }) => cacheable(request, null, await writeSitemap(visit), { "Content-Type": "application/xml; charset=utf-8" }),
});
