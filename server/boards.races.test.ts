import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { databaseKind, db } from "#lib/db";
import { knownError } from "#lib/failures";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { scale } from "#lib/testing/scale";
import { deleteBoard, restoreBoard } from "./boards/deletion.ts";
import { freeUrl } from "./boards/urls.ts";
import { type Board, createBoard, listBoards, updateBoard } from "./boards.ts";
import { anOwner, aSite, type Person } from "./testing/people.ts";

useDatabase();

const TIMEOUT = { timeout: scale(30_000, 300_000) };

let owner: Person["viewer"];

beforeEach(async () => {
  await aSite();
  owner = (await anOwner()).viewer;
});

/** The boards that `actions` returned, and the codes of what failed. */
async function atOnce(actions: Promise<Board>[]): Promise<{ boards: Board[]; codes: string[] }> {
  const results = await Promise.allSettled(actions);
  const boards = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const codes = results.flatMap((result) => (result.status === "rejected" ? [knownError(result.reason)?.code ?? String(result.reason)] : []));
  return { boards, codes };
}

/** `count` boards with different names. */
async function makeBoards(count: number): Promise<Board[]> {
  const boards = [];
  for (let index = 0; index < count; index += 1) boards.push(await createBoard(owner, { name: `Board ${index}` }));
  return boards;
}

/** Asserts that the counters say what the rows say. */
async function expectCountersRight(): Promise<void> {
  const [publicBoardCount, privateBoardCount] = [
    await db.board.count({ where: { deletedAt: null, isPrivate: false } }),
    await db.board.count({ where: { deletedAt: null, isPrivate: true } }),
  ];
  expect(await db.siteSettings.findFirst()).toMatchObject({ publicBoardCount, privateBoardCount });
  expect([(await listBoards(null)).total, (await listBoards(owner)).total]).toEqual([publicBoardCount, publicBoardCount + privateBoardCount]);
}

test("boards of one name made at once all get an address of their own", TIMEOUT, async () => {
  const count = scale(30, 100);

  const { boards, codes } = await atOnce(Array.from({ length: count }, () => createBoard(owner, { name: "Ideas" })));

  const addresses = new Set(boards.map(({ url }) => url)).size;
  const ok = codes.length === 0 && addresses === count;
  reportBar({ bar: "C6", measure: `${count} boards of one name at once (rule)`, figure: `${addresses} addresses`, ok });
  expect([codes, addresses]).toEqual([[], count]);
  await expectCountersRight();
});

test("of boards made at once with one given address one gets it", TIMEOUT, async () => {
  const { boards, codes } = await atOnce(Array.from({ length: 10 }, (_, index) => createBoard(owner, { name: `Board ${index}`, url: "ideas" })));

  expect([boards.length, new Set(codes)]).toEqual([1, new Set(["BOARD_URL_EXISTS"])]);
  await expectCountersRight();
});

test("of boards renamed at once to one address one gets it, and the others keep theirs", TIMEOUT, async () => {
  const before = await makeBoards(scale(6, 20));

  const { boards, codes } = await atOnce(before.map(({ boardId }) => updateBoard(owner, boardId, { url: "ideas" })));

  expect([boards.length, new Set(codes)]).toEqual([1, new Set(["BOARD_URL_EXISTS"])]);
  const kept = await db.board.findMany({ where: { url: { not: "ideas" } }, select: { url: true } });
  expect(kept).toHaveLength(before.length - 1);
  for (const { url } of kept) expect(before.map((board) => board.url)).toContain(url);
});

test("one board renamed to many addresses at once keeps them all", TIMEOUT, async () => {
  const count = scale(10, 50);
  const [board] = await makeBoards(1);

  const { codes } = await atOnce(
    Array.from({ length: count }, (_, index) => updateBoard(owner, board?.boardId ?? "", { url: `name-${index}`, isPrivate: index % 2 === 0 })),
  );

  expect(codes).toEqual([]);
  expect(await db.boardUrl.count({ where: { boardId: board?.boardId } })).toBe(count + 1);
  await expectCountersRight();
});

test("who gives no address is never told that one is taken, whatever others rename meanwhile", TIMEOUT, async () => {
  const count = scale(10, 40);
  const others = await makeBoards(count);
  const renaming = others.map(({ boardId }, index) => updateBoard(owner, boardId, { url: `ideas${index ? `-${index + 1}` : ""}` }));
  const creating = Array.from({ length: count }, () => createBoard(owner, { name: "Ideas" }));

  const [renamed, created] = [await atOnce(renaming), await atOnce(creating)];

  expect(created.codes).toEqual([]);
  expect(new Set([...renamed.boards, ...created.boards].map(({ url }) => url)).size).toBe(renamed.boards.length + count);
  expect([...new Set(renamed.codes)].filter((code) => code !== "BOARD_URL_EXISTS")).toEqual([]);
});

test("a board deleted by several at once is deleted, and counted, once; brought back likewise", TIMEOUT, async () => {
  const [board] = await makeBoards(2);
  const boardId = board?.boardId ?? "";

  const deletions = await Promise.allSettled(Array.from({ length: 10 }, () => deleteBoard(owner, boardId)));
  expect(deletions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expectCountersRight();

  const { boards, codes } = await atOnce(Array.from({ length: 10 }, () => restoreBoard(owner, boardId)));
  expect([boards.length, new Set(codes)]).toEqual([1, new Set(["BOARD_NOT_FOUND"])]);
  await expectCountersRight();
});

test("after whatever several do at once the counters are right, and nobody waits in a circle", TIMEOUT, async () => {
  const action = fc.record({
    kind: fc.constantFrom("create", "hide", "show", "rename", "rename and hide", "delete", "restore"),
    which: fc.nat({ max: 2 }),
    url: fc.constantFrom("ideas", "bugs", "wishes"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 12 }), async (actions) => {
      await db.board.deleteMany();
      await db.siteSettings.updateMany({ data: { publicBoardCount: 0, privateBoardCount: 0 } });
      const boards = await makeBoards(3);

      const { codes } = await atOnce(
        actions.map(async ({ kind, which, url }) => {
          const board = boards[which] as Board;
          if (kind === "create") return createBoard(owner, { name: url, url, isPrivate: which === 0 });
          if (kind === "restore") return restoreBoard(owner, board.boardId);
          if (kind === "delete") return deleteBoard(owner, board.boardId).then(() => board);
          return updateBoard(owner, board.boardId, { ...(kind.startsWith("rename") && { url }), ...(kind !== "rename" && { isPrivate: kind !== "show" }) });
        }),
      );

      expect(codes.filter((code) => !["BOARD_NOT_FOUND", "BOARD_URL_EXISTS"].includes(code))).toEqual([]);
      await expectCountersRight();
    }),
    { numRuns: scale(15, 300) },
  );
});

// Shows that the tests above can fail.
test("without the lock, boards of one name collide", TIMEOUT, async ({ skip }) => {
  skip(databaseKind() === "embedded", "the embedded database's one connection hides such races");
  const naiveCreate = () =>
    db.$transaction(async (tx) => {
      const url = await freeUrl(tx, "Ideas");
      return tx.board.create({ data: { name: "Ideas", url, color: "4f46e5", urls: { create: { url } } } });
    });

  const results = await Promise.allSettled(Array.from({ length: 20 }, naiveCreate));

  expect(results.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
});
