import { expect, test } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { scale } from "#lib/testing/scale";
import { deleteBoard } from "./boards/deletion.ts";
import { createBoard, updateBoard } from "./boards.ts";
import { findDrift, mendCounters } from "./counters.ts";
import { anOwner, aSite } from "./testing/people.ts";
import { aFullSite } from "./testing/sites.ts";

useDatabase();

test("nothing has drifted on a site that was written by the rules", async () => {
  await aFullSite({ posts: 30 });
  const { viewer } = await anOwner();
  for (const isPrivate of [false, true]) await deleteBoard(viewer, (await createBoard(viewer, { name: "Gone", isPrivate })).boardId);

  expect(await findDrift()).toEqual([]);
  expect(await mendCounters()).toEqual([]);
});

test("each counter that is wrong is named with what it says and what is there, and is right after mending", async () => {
  await aFullSite({ posts: 30 });
  const [first, second] = await db.board.findMany({ where: { postCount: { gt: 0 } }, orderBy: { boardId: "asc" }, take: 2 });
  const before = { site: await db.siteSettings.findFirstOrThrow(), boards: await db.board.findMany({ orderBy: { boardId: "asc" } }) };
  await db.siteSettings.updateMany({ data: { publicBoardCount: 0, privateBoardCount: 77 } });
  await db.board.update({ where: { boardId: first?.boardId }, data: { postCount: { increment: 1000 } } });
  await db.board.update({ where: { boardId: second?.boardId }, data: { lastPostAt: null } });
  const { publicBoardCount, privateBoardCount } = before.site;
  const site = { boardId: null, url: null };
  const expected = [
    { counter: "Board.lastPostAt", boardId: second?.boardId, url: second?.url, stored: null, actual: expect.stringContaining("20") },
    { counter: "Board.postCount", boardId: first?.boardId, url: first?.url, stored: `${(first?.postCount ?? 0) + 1000}`, actual: `${first?.postCount}` },
    { counter: "SiteSettings.privateBoardCount", ...site, stored: "77", actual: String(privateBoardCount) },
    { counter: "SiteSettings.publicBoardCount", ...site, stored: "0", actual: String(publicBoardCount) },
  ];

  expect(await findDrift()).toEqual(expected);
  expect(await mendCounters()).toEqual(expected);

  expect(await findDrift()).toEqual([]);
  expect({ site: await db.siteSettings.findFirstOrThrow(), boards: await db.board.findMany({ orderBy: { boardId: "asc" } }) }).toEqual(before);
});

test("what others write meanwhile is counted as well", { timeout: scale(60_000, 600_000) }, async () => {
  await aSite();
  const { viewer } = await anOwner();
  const boards = [];
  for (const name of ["a", "b", "c"]) boards.push(await createBoard(viewer, { name }));
  let isOver = false;
  const writePosts = async (boardId: string) => {
    for (let index = 0; !isOver; index += 1) {
      const createdAt = new Date(Date.now() + index);
      await db.$transaction(async (tx) => {
        await tx.post.create({ data: { boardId, title: "Meanwhile", createdAt } });
        await tx.board.update({ where: { boardId }, data: { postCount: { increment: 1 }, lastPostAt: createdAt } });
      });
    }
  };
  const hideAndShow = async (boardId: string) => {
    for (let index = 0; !isOver; index += 1) await updateBoard(viewer, boardId, { isPrivate: index % 2 === 0 });
  };
  const writing = [...boards.map(({ boardId }) => writePosts(boardId)), ...boards.map(({ boardId }) => hideAndShow(boardId))];

  for (let round = 0; round < scale(10, 200); round += 1) {
    await db.board.updateMany({ data: { postCount: { increment: 3 } } });
    await db.siteSettings.updateMany({ data: { publicBoardCount: { increment: 5 } } });
    await mendCounters();
  }
  isOver = true;
  await Promise.all(writing);

  expect(await findDrift()).toEqual([]);
  expect(await db.post.count()).toBeGreaterThan(10);
});
