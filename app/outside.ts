import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { letOtherSitesShow } from "#lib/answer";
import type { Viewer } from "#lib/auth";
import { drawnOnce } from "#lib/drawing/once";
import { cacheable, cacheableAs } from "#lib/http";
import { plainTextOf } from "#lib/markdown";
import { type Board, getBoardByUrl } from "#server/boards";
import { boardPath } from "#server/boards/urls";
import { type Card, cardVersion, drawCard, siteCard } from "#server/cards";
import { CARD_SIZE } from "#server/cards/sheet";
import type { Site } from "#server/settings";
import { boardUrlOf } from "./urls.ts";

type PublicPage = {
  site: Site;
  /** What the page is called where its link is shown; the site's own title where it is left out. */
  title?: string;
  description: string;
  /** The page's one address, and those of its feed, where it has one, and its picture. Paths. */
  path: string;
  feed?: string;
  cardPath: string;
  card: Card;
};

/** What a public page says of itself to search engines, feed readers, and wherever its link is shown. */
export async function publicMetadata({ site, title, description, path, feed, cardPath, card }: PublicPage): Promise<Metadata> {
  const image = { url: `${cardPath}?v=${cardVersion(card)}`, ...CARD_SIZE, alt: (card.board && title) ?? site.title };
  const words = plainTextOf(description) || plainTextOf(site.description) || (await getTranslations("home"))("intro");
  const shown = { title: title ?? site.title, description: words, images: [image] };
  return {
    title: title ?? { absolute: site.title },
    description: words,
    alternates: { canonical: path, types: feed ? { "application/atom+xml": [{ url: feed, title: title ?? site.title }] } : {} },
    openGraph: { type: "website", siteName: site.title, url: path, ...shown },
    twitter: { card: "summary_large_image", ...shown },
  };
}

/** The same of a page that stands for the whole site, or leads into it: it is described as the site is. */
export function sitePageMetadata(site: Site, { title, path, feed }: Pick<PublicPage, "title" | "path" | "feed">): Promise<Metadata> {
  return publicMetadata({ site, title, description: site.description, path, feed, cardPath: "/card.png", card: siteCard(site) });
}

/**
 * What a page says of itself whose address holds a mailed link's token, which no other site may hear. Not "no-referrer": browsers then send forms
 * without their origin, and Next refuses those.
 */
export const OF_LINKED_PAGE = { referrer: "same-origin", robots: { index: false } } satisfies Metadata;

/** A card as `answerDrawn` has it. */
export function answerCard(request: Request, viewer: Viewer, card: Card): Promise<Response> {
  return answerDrawn(request, viewer, { version: cardVersion(card), draw: () => drawCard(card) });
}

type Drawn = { version: string; draw: () => Promise<Uint8Array<ArrayBuffer>> };

/** A drawing as a PNG. Under the address that names exactly this one it may be kept for ever; under any other it is asked for anew. Nothing is drawn for who has it. */
export async function answerDrawn(request: Request, viewer: Viewer, { version, draw }: Drawn): Promise<Response> {
  // What is private is shown to nobody who is not signed in.
  if (!viewer) letOtherSitesShow();
  const isOwnAddress = new URL(request.url).searchParams.get("v") === version;
  const keep: Record<string, string> = isOwnAddress && !viewer ? { "Cache-Control": "public, max-age=31536000, immutable" } : {};
  return cacheableAs(request, viewer, { version, make: async () => ({ bytes: await drawnOnce(version, draw), type: "image/png" }) }, keep);
}

/** A feed, or 304 to who has it. */
export function answerFeed(request: Request, viewer: Viewer, feed: string): Response {
  return cacheable(request, viewer, feed, { "Content-Type": "application/atom+xml; charset=utf-8" });
}

/**
 * The board at a part of an address, for what goes with its page at `suffix`; `move` leads there where it has another address by now.
 * @throws AppError BOARD_NOT_FOUND
 */
export async function boardOrMove(viewer: Viewer, slug: string, suffix: string): Promise<{ board: Board; move: Response | null }> {
  const url = boardUrlOf(slug);
  const board = await getBoardByUrl(viewer, url);
  const move = board.url === url ? null : new Response(null, { status: 308, headers: { Location: boardPath(board, suffix) } });
  return { board, move };
}
