import { Feed } from "feed";
import { db } from "#lib/db";
import { AppError } from "#lib/errors";
import { plainTextOf } from "#lib/markdown";
import type { Visit } from "#lib/visit";
import { escapeXml, xmlText } from "#lib/xml";
import type { Prisma } from "#prisma/generated/client";
import { boardPath } from "./boards/urls.ts";
import type { Board } from "./boards.ts";
import { siteUrl, THE_SITE } from "./settings.ts";

/** A feed is for what is new; who wants all asks the API. */
const FEED_SIZE = 50;

const entryFields = {
  postId: true,
  title: true,
  createdAt: true,
  board: { select: { name: true, url: true } },
} satisfies Prisma.PostSelect;

type Entry = Prisma.PostGetPayload<{ select: typeof entryFields }>;

type Frame = {
  /** Stays the same however often the feed's address changes. */
  id: string;
  title: string;
  subtitle: string;
  /** Where people read the same; a path. */
  page: string;
  /** Where the feed itself is; a path. */
  path: string;
  /** For a feed without entries. */
  begunAt: Date;
};

/**
 * The newest posts of all public boards, as Atom (RFC 4287). The same for everybody.
 * @throws AppError NOT_FOUND before set-up
 */
export async function siteFeed(visit: Visit): Promise<string> {
  const site = await db.siteSettings.findUnique({ where: THE_SITE, select: { title: true, description: true, setUpAt: true } });
  if (!site) throw new AppError("NOT_FOUND", "This site is not set up yet.");
  const entries = await newestPosts({ board: { isPrivate: false, deletedAt: null } });
  // There is one site in a database: what names it is the moment it was set up.
  const id = `urn:heard:site:${site.setUpAt.getTime()}`;
  return writeFeed(
    await siteUrl(visit),
    { id, title: site.title, subtitle: plainTextOf(site.description), page: "/", path: "/feed.atom", begunAt: site.setUpAt },
    entries,
  );
}

/** The newest posts of one board, which the caller was allowed to see, as Atom. */
export async function boardFeed(visit: Visit, board: Board): Promise<string> {
  const { boardId, name, description, createdAt } = board;
  const [page, path] = [boardPath(board), boardPath(board, "/feed.atom")];
  const frame = { id: `urn:uuid:${boardId}`, title: name, subtitle: plainTextOf(description), page, path, begunAt: createdAt };
  return writeFeed(await siteUrl(visit), frame, await newestPosts({ boardId }));
}

function newestPosts(where: Prisma.PostWhereInput): Promise<Entry[]> {
  return db.post.findMany({ where, select: entryFields, orderBy: [{ createdAt: "desc" }, { postId: "desc" }], take: FEED_SIZE });
}

function writeFeed(origin: string, { id, title, subtitle, page, path, begunAt }: Frame, entries: Entry[]): string {
  const feed = new Feed({
    id,
    title: plain(title),
    description: plain(subtitle) || undefined,
    link: `${origin}${page}`,
    feed: `${origin}${path}`,
    // Never the present moment: a feed to which nothing came is the same as before.
    updated: entries[0]?.createdAt ?? begunAt,
    author: { name: plain(title), link: `${origin}/` },
    generator: "Heard",
  });
  for (const { postId, title, createdAt, board } of entries)
    feed.addItem({
      id: `urn:uuid:${postId}`,
      // Read as HTML, in which what people typed is text.
      title: escapeXml(title),
      description: escapeXml(board.name),
      link: `${origin}${boardPath(board)}`,
      date: createdAt,
      published: createdAt,
    });
  return feed.atom1();
}

/** The package takes `&amp;` back to `&` before it escapes: only what has no bare `&` comes out as it went in. */
function plain(text: string): string {
  return xmlText(text).replaceAll("&", "&amp;");
}
