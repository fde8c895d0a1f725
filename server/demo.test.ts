import { expect, test } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { createBoard, listBoards } from "./boards.ts";
import { createDemo, removeDemo } from "./demo.ts";
import { anOwner, aSite } from "./testing/people.ts";

useDatabase();

const SIZE = { people: 12, posts: 30 };

test("a generated site has boards, people and posts, and every counter fits", async () => {
  await aSite();

  const made = await createDemo(SIZE, () => {});

  const boards = await db.board.findMany({ select: { postCount: true, _count: { select: { posts: true } } } });
  expect(made).toEqual({ boards: boards.length, ...SIZE });
  expect(await db.user.count()).toBe(SIZE.people);
  expect(await db.post.count()).toBe(SIZE.posts);
  for (const { postCount, _count } of boards) expect(postCount).toBe(_count.posts);
  expect((await listBoards(null)).total).toBe(boards.length);
});

test("it tells how far it is, up to the end", async () => {
  await aSite();
  const told: [number, number][] = [];

  await createDemo(SIZE, (done, total) => told.push([done, total]));

  expect(told.at(-1)).toEqual([42, 42]);
});

test("removing it takes out all that it made, and nothing else, also when some of it was changed", async () => {
  await aSite();
  const { viewer } = await anOwner();
  const own = await createBoard(viewer, { name: "Ideas" });
  await createDemo(SIZE, () => {});
  const [hidden] = await db.board.findMany({ where: { isDemo: true }, take: 1 });
  await db.board.update({ where: { boardId: hidden?.boardId }, data: { isPrivate: true } });
  await db.siteSettings.update({ where: { settingsId: 1 }, data: { publicBoardCount: { decrement: 1 }, privateBoardCount: { increment: 1 } } });

  const removed = await removeDemo();

  expect(removed.people).toBe(SIZE.people);
  expect((await listBoards(viewer)).boards.map(({ boardId }) => boardId)).toEqual([own.boardId]);
  expect(await db.siteSettings.findFirst()).toMatchObject({ publicBoardCount: 1, privateBoardCount: 0 });
  expect([await db.user.count(), await db.post.count()]).toEqual([1, 0]);
});

test("there is no demo before set-up, and no second one beside the first", async () => {
  await expect(createDemo(SIZE, () => {})).rejects.toMatchObject({ code: "FORBIDDEN" });
  await aSite();
  await createDemo(SIZE, () => {});

  await expect(createDemo(SIZE, () => {})).rejects.toMatchObject({ code: "FORBIDDEN" });
});
