import { beforeEach, expect, test } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { deleteBoard } from "./boards/deletion.ts";
import { type Board, createBoard, updateBoard } from "./boards.ts";
import { writeSitemap, writeSitemapPage } from "./sitemaps.ts";
import { anOwner, aSite, aVisit, type Person } from "./testing/people.ts";
import { texts } from "./testing/xml.ts";

useDatabase();

let owner: Person;
let ideas: Board;

beforeEach(async () => {
  await aSite();
  owner = await anOwner();
  ideas = await createBoard(owner.viewer, { name: "Ideas", url: "ideas" });
});

test("the sitemap lists the home page and every public board at its present address", async () => {
  await updateBoard(owner.viewer, ideas.boardId, { url: "أفكار" });
  await db.board.update({ where: { boardId: ideas.boardId }, data: { lastPostAt: new Date("2026-02-03T04:05:06.789Z") } });

  const sitemap = await writeSitemap(aVisit());

  expect(texts(sitemap, "loc")).toEqual(["https://feedback.example.com/", `https://feedback.example.com/boards/${encodeURIComponent("أفكار")}`]);
  expect(texts(sitemap, "lastmod")).toEqual(["2026-02-03T04:05:06.789Z"]);
});

test("private and deleted boards are in no sitemap", async () => {
  await createBoard(owner.viewer, { name: "Secret", url: "secret", isPrivate: true });
  const gone = await createBoard(owner.viewer, { name: "Gone", url: "gone" });
  await deleteBoard(owner.viewer, gone.boardId);

  expect(await writeSitemap(aVisit())).not.toMatch(/secret|gone/i);
});

test("more boards than fit in one file are in several, and an index names them", async () => {
  for (const name of ["Two", "Three", "Four", "Five"]) await createBoard(owner.viewer, { name });
  const pageSize = 2;

  expect(texts(await writeSitemap(aVisit(), { pageSize }), "loc")).toEqual([1, 2, 3].map((page) => `https://feedback.example.com/sitemaps/${page}.xml`));
  const pages = await Promise.all([1, 2, 3].map((page) => writeSitemapPage(aVisit(), page, { pageSize })));
  expect(pages.flatMap((page) => texts(page, "loc"))).toHaveLength(6);
  await expect(writeSitemapPage(aVisit(), 4, { pageSize })).rejects.toMatchObject({ code: "NOT_FOUND" });
});
