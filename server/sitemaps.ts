import { db } from "#lib/db";
import { AppError } from "#lib/errors";
import type { Visit } from "#lib/visit";
import { escapeXml } from "#lib/xml";
import { boardPath } from "./boards/urls.ts";
import { countBoards } from "./boards.ts";
import { siteUrl } from "./settings.ts";

/** The protocol allows 50,000 addresses and 50 MB a file (https://www.sitemaps.org/protocol.html); a tenth is soon made. */
const PAGE_SIZE = 5_000;

const PUBLIC = { isPrivate: false, deletedAt: null };
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** The site's public pages for search engines; where there are too many for one file, an index of such files. */
export async function writeSitemap(visit: Visit, { pageSize = PAGE_SIZE } = {}): Promise<string> {
  const boardCount = await countBoards(null);
  if (boardCount <= pageSize) return writeSitemapPage(visit, 1, { pageSize });
  const origin = await siteUrl(visit);
  const pages = Array.from({ length: Math.ceil(boardCount / pageSize) }, (_, index) => `${origin}/sitemaps/${index + 1}.xml`);
  return `${DECLARATION}<sitemapindex ${NAMESPACE}>\n${pages.map((page) => `<sitemap><loc>${escapeXml(page)}</loc></sitemap>`).join("\n")}\n</sitemapindex>\n`;
}

/**
 * One of those files, counted from 1; the first also has the home page.
 * @throws AppError NOT_FOUND past the last
 */
export async function writeSitemapPage(visit: Visit, page: number, { pageSize = PAGE_SIZE } = {}): Promise<string> {
  const boards = await db.board.findMany({
    where: PUBLIC,
    select: { url: true, createdAt: true, lastPostAt: true },
    // New boards come last, so that the other files stay as they are.
    orderBy: { boardId: "asc" },
    skip: (page - 1) * pageSize,
    take: pageSize,
  });
  if (page !== 1 && boards.length === 0) throw new AppError("NOT_FOUND", "The list of pages ends before this.");
  const origin = await siteUrl(visit);
  const home = page === 1 ? [`<url><loc>${escapeXml(`${origin}/`)}</loc></url>`] : [];
  const urls = boards.map(({ url, createdAt, lastPostAt }) => {
    const address = escapeXml(`${origin}${boardPath({ url })}`);
    return `<url><loc>${address}</loc><lastmod>${(lastPostAt ?? createdAt).toISOString()}</lastmod></url>`;
  });
  return `${DECLARATION}<urlset ${NAMESPACE}>\n${[...home, ...urls].join("\n")}\n</urlset>\n`;
}
