import { beforeEach, expect, test } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { deleteBoard } from "./boards/deletion.ts";
import { type Board, createBoard, updateBoard } from "./boards.ts";
import { boardFeed, siteFeed } from "./feeds.ts";
import { writeSitemap, writeSitemapPage } from "./sitemaps.ts";
import { anOwner, aSite, aVisit, type Person } from "./testing/people.ts";

useDatabase();

const SETUP = new Date("2026-01-01T00:00:00.000Z");

let owner: Person;
let ideas: Board;

beforeEach(async () => {
  await aSite({ title: "Nimbus & <friends>", description: "5 > 4 &amp; more", setUpAt: SETUP });
  owner = await anOwner();
  ideas = await createBoard(owner.viewer, { name: "Ideas <b>", url: "ideas" });
});

async function aPost(board: Board, title: string, createdAt = new Date("2026-02-03T04:05:06.789Z")) {
  return db.post.create({ data: { boardId: board.boardId, title, createdAt }, select: { postId: true } });
}

/** What stands in the elements called `name`, as a reader of XML takes it. */
function texts(xml: string, name: string): string[] {
  const decode = (text: string) =>
    text
      .replace(/<!\[CDATA\[(.*?)\]\]>/gs, "$1")
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&amp;/g, "&");
  return [...xml.matchAll(new RegExp(`<${name}[^>]*>(.*?)</${name}>`, "gs"))].map((match) => decode(match[1] ?? ""));
}

test("the site's feed has the newest posts of public boards, with ids that stay and the dates of writing", async () => {
  const older = await aPost(ideas, "Older", new Date("2026-02-01T00:00:00.000Z"));
  const newer = await aPost(ideas, "Newer");

  const feed = await siteFeed(aVisit());

  expect(texts(feed, "id")).toEqual([`urn:heard:site:${SETUP.getTime()}`, `urn:uuid:${newer.postId}`, `urn:uuid:${older.postId}`]);
  expect(texts(feed, "updated")).toEqual(["2026-02-03T04:05:06.789Z", "2026-02-03T04:05:06.789Z", "2026-02-01T00:00:00.000Z"]);
  expect(feed).toContain('<link href="https://feedback.example.com/boards/ideas"/>');
  expect(feed).toContain('<link rel="self" href="https://feedback.example.com/feed.atom"/>');
});

test("private and deleted boards are in no feed and no sitemap", async () => {
  const secret = await createBoard(owner.viewer, { name: "Secret", url: "secret", isPrivate: true });
  const gone = await createBoard(owner.viewer, { name: "Gone", url: "gone" });
  await aPost(secret, "Secret post");
  await aPost(gone, "Gone post");
  await deleteBoard(owner.viewer, gone.boardId);

  for (const text of [await siteFeed(aVisit()), await writeSitemap(aVisit())]) expect(text).not.toMatch(/secret|gone/i);
});

test("what people typed is text, whatever it looks like", async () => {
  const title = "A ]]> B ]]><script>\"1\" & '2'</script> &amp; \ufffe🎉";
  await aPost(ideas, title);

  const feed = await boardFeed(aVisit(), ideas);

  expect(feed).not.toMatch(/<script|\ufffe/);
  expect(feed.match(/\]\]>/g)).toHaveLength(2);
  expect(texts(feed, "title")[0]).toBe("Ideas <b>");
  // HTML in the entry's title, once more escaped.
  expect(texts(feed, "title")[1]).toContain("A ]]> B ]]><script>".replaceAll("<", "&#60;").replaceAll(">", "&#62;"));
  const [siteTitle, subtitle] = [texts(await siteFeed(aVisit()), "title")[0], texts(await siteFeed(aVisit()), "subtitle")[0]];
  expect([siteTitle, subtitle]).toEqual(["Nimbus & <friends>", "5 > 4 &amp; more"]);
});

test("a feed to which nothing came is the same, byte for byte", async () => {
  const first = [await siteFeed(aVisit()), await boardFeed(aVisit(), ideas)];

  expect([await siteFeed(aVisit()), await boardFeed(aVisit(), ideas)]).toEqual(first);
  expect(texts(first[0] ?? "", "updated")).toEqual([SETUP.toISOString()]);
});

test("before set-up there is no feed", async () => {
  await db.siteSettings.deleteMany();

  await expect(siteFeed(aVisit())).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("the sitemap lists the home page and every public board at its present address", async () => {
  await updateBoard(owner.viewer, ideas.boardId, { url: "أفكار" });
  await aPost(ideas, "Post");
  await db.board.update({ where: { boardId: ideas.boardId }, data: { lastPostAt: new Date("2026-02-03T04:05:06.789Z") } });

  const sitemap = await writeSitemap(aVisit());

  expect(texts(sitemap, "loc")).toEqual(["https://feedback.example.com/", `https://feedback.example.com/boards/${encodeURIComponent("أفكار")}`]);
  expect(texts(sitemap, "lastmod")).toEqual(["2026-02-03T04:05:06.789Z"]);
});

test("more boards than fit in one file are in several, and an index names them", async () => {
  for (const name of ["Two", "Three", "Four", "Five"]) await createBoard(owner.viewer, { name });
  const pageSize = 2;

  expect(texts(await writeSitemap(aVisit(), { pageSize }), "loc")).toEqual([1, 2, 3].map((page) => `https://feedback.example.com/sitemaps/${page}.xml`));
  const pages = await Promise.all([1, 2, 3].map((page) => writeSitemapPage(aVisit(), page, { pageSize })));
  expect(pages.flatMap((page) => texts(page, "loc"))).toHaveLength(6);
  await expect(writeSitemapPage(aVisit(), 4, { pageSize })).rejects.toMatchObject({ code: "NOT_FOUND" });
});
