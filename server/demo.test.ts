import { expect, test } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { listArrangedBoards, moveBoard } from "./boards/order.ts";
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

test("the planner knows of it at once, and the boards' rows that every batch left behind are cleared away", async () => {
  await aSite();

  await createDemo(SIZE, () => {});

  const known =
    await db.$queryRaw`SELECT relname, reltuples::int, relallvisible > 0 AS "isCleared" FROM pg_class WHERE relname IN ('Board', 'Post') ORDER BY relname`;
  expect(known).toEqual([
    { relname: "Board", reltuples: await db.board.count(), isCleared: true },
    { relname: "Post", reltuples: SIZE.posts, isCleared: false },
  ]);
});

test("it may have more boards than there are kinds, each with a name and an address of its own", async () => {
  await aSite();

  await createDemo({ ...SIZE, boards: 21 }, () => {});

  const boards = await db.board.findMany({ select: { name: true, urls: { select: { url: true } } } });
  expect(new Set(boards.map(({ name }) => name)).size).toBe(21);
  expect(new Set(boards.flatMap(({ urls }) => urls.map(({ url }) => url))).size).toBe(21);
  expect((await listBoards(null)).total).toBe(21);
});

test("its boards stand behind those that were there, in one order, and each knows its newest post", async () => {
  await aSite();
  const { viewer } = await anOwner();
  const own = await createBoard(viewer, { name: "Ideas" });

  await createDemo(SIZE, () => {});

  const boards = await db.board.findMany({
    select: { position: true, lastPostAt: true, posts: { select: { createdAt: true } } },
    orderBy: { position: "asc" },
  });
  expect(boards.map(({ position }) => position)).toEqual(boards.map((_, index) => index + 1));
  expect((await listArrangedBoards(null)).boards[0]).toMatchObject({ boardId: own.boardId });
  for (const { lastPostAt, posts } of boards)
    expect(lastPostAt).toEqual(posts.map(({ createdAt }) => createdAt).sort((a, b) => Number(b) - Number(a))[0] ?? null);
});

test("of two that are asked for at once one is made, and nothing of the other", async () => {
  await aSite();

  const outcomes = await Promise.allSettled([createDemo(SIZE, () => {}), createDemo({ ...SIZE, seed: 2 }, () => {})]);

  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect([await db.user.count(), await db.post.count(), (await listBoards(null)).total]).toEqual([SIZE.people, SIZE.posts, await db.board.count()]);
});

test("it tells how far it is, up to the end", async () => {
  await aSite();
  const told: [number, number][] = [];

  await createDemo(SIZE, (done, total) => told.push([done, total]));

  expect(told.at(-1)).toEqual([50, 50]);
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

test("the boards that stay keep their order and their newest post when it is removed", async () => {
  await aSite();
  const { viewer } = await anOwner();
  const boards = [await createBoard(viewer, { name: "A" }), await createBoard(viewer, { name: "B" })] as const;
  const createdAt = new Date(1_790_000_000_000);
  await db.post.create({ data: { boardId: boards[0].boardId, title: "Dark mode", createdAt } });
  await db.board.update({ where: { boardId: boards[0].boardId }, data: { postCount: 1, lastPostAt: createdAt } });
  await createDemo(SIZE, () => {});
  await moveBoard(viewer, boards[1].boardId, { to: "top" });

  await removeDemo();

  expect((await listArrangedBoards(null)).boards).toMatchObject([
    { name: "B", lastPostAt: null, postCount: 0 },
    { name: "A", lastPostAt: createdAt, postCount: 1 },
  ]);
  await moveBoard(viewer, boards[1].boardId, { to: "down" });
  expect((await db.board.findMany({ orderBy: { position: "asc" } })).map(({ name, position }) => [name, position])).toEqual([
    ["A", 1],
    ["B", 2],
  ]);
});

test("there is no demo before set-up, and no second one beside the first", async () => {
  await expect(createDemo(SIZE, () => {})).rejects.toMatchObject({ code: "FORBIDDEN" });
  await aSite();
  await createDemo(SIZE, () => {});

  await expect(createDemo(SIZE, () => {})).rejects.toMatchObject({ code: "FORBIDDEN" });
});
