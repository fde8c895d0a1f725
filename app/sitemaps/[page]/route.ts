import { AppError } from "#lib/errors";
import { cacheable, endpoint } from "#lib/http";
import { writeSitemapPage } from "#server/sitemaps";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint<{ page: string }>({
  /** A part of the public pages, such as /sitemaps/2.xml. 200, 304 or 404. */
  GET: async (request, { visit, params }) => {
    const [, number] = /^([1-9]\d{0,5})\.xml$/.exec(params.page) ?? [];
    if (!number) throw new AppError("NOT_FOUND", "There is nothing at this address.");
    return cacheable(request, null, await writeSitemapPage(visit, Number(number)), { "Content-Type": "application/xml; charset=utf-8" });
  },
});
