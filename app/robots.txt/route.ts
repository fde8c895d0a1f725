import { cacheable, endpoint } from "#lib/http";
import { siteUrl } from "#server/settings";

/** Pages that are of use to one person only, and what is no page at all. */
const PRIVATE = ["/api/", "/dashboard", "/me", "/search", "/setup", "/confirm-address", "/reset-password", "/find"];

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** What search engines need not ask for, and where everything else is listed. 200 or 304. */
  GET: async (request, { visit }) => {
    const lines = [
      "User-agent: *",
      "Allow: /api/v1/docs",
      ...PRIVATE.map((path) => `Disallow: ${path}`),
      "",
      `Sitemap: ${await siteUrl(visit)}/sitemap.xml`,
      "",
    ];
    return cacheable(request, null, lines.join("\n"), { "Content-Type": "text/plain; charset=utf-8" });
  },
});
