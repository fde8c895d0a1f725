import { beforeEach, expect, test } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { deleteBoard } from "./boards/deletion.ts";
import { type Board, createBoard } from "./boards.ts";
import { boardFeed, siteFeed } from "./feeds.ts";
import { anOwner, aSite, aVisit, type Person } from "./testing/people.ts";
import { texts } from "./testing/xml.ts";

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

test("the site's feed has the newest posts of public boards, with ids that stay and the dates of writing", async () => {
  const older = await aPost(ideas, "Older", new Date("2026-02-01T00:00:00.000Z"));
  const newer = await aPost(ideas, "Newer");

  const feed = await siteFeed(aVisit());

  expect(texts(feed, "id")).toEqual([`urn:heard:site:${SETUP.getTime()}`, `urn:uuid:${newer.postId}`, `urn:uuid:${older.postId}`]);
  expect(texts(feed, "updated")).toEqual(["2026-02-03T04:05:06.789Z", "2026-02-03T04:05:06.789Z", "2026-02-01T00:00:00.000Z"]);
  expect(feed).toContain('<link href="https://feedback.example.com/boards/ideas"/>');
  expect(feed).toContain('<link rel="self" href="https://feedback.example.com/feed.atom"/>');
});

test("private and deleted boards are in no feed", async () => {
  const secret = await createBoard(owner.viewer, { name: "Secret", url: "secret", isPrivate: true });
  const gone = await createBoard(owner.viewer, { name: "Gone", url: "gone" });
  await aPost(secret, "Secret post");
  await aPost(gone, "Gone post");
  await deleteBoard(owner.viewer, gone.boardId);

  expect(await siteFeed(aVisit())).not.toMatch(/secret|gone/i);
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
