import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { db } from "#lib/db";
import { knownError } from "#lib/failures";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { scale } from "#lib/testing/scale";
import { type Board, createBoard, updateBoard } from "../boards.ts";
import { failureOf } from "../testing/failures.ts";
import { aMember, anOwner, aSite, type Person } from "../testing/people.ts";
import { deleteBoard, restoreBoard } from "./deletion.ts";
import { listArrangedBoards, moveBoard } from "./order.ts";

useDatabase();

const TIMEOUT = { timeout: scale(30_000, 300_000) };

let owner: Person["viewer"];

beforeEach(async () => {
  await aSite();
  owner = (await anOwner()).viewer;
});

/** A board for each letter of `names`, in this order. */
async function makeBoards(names: string): Promise<Record<string, Board>> {
  const boards: Record<string, Board> = {};
  for (const name of names) boards[name] = await createBoard(owner, { name });
  return boards;
}

const idOf = (boards: Record<string, Board>, name: string) => boards[name]?.boardId ?? "";

/** The names as the team sees them, in order. */
async function arranged(viewer: Person["viewer"] | null = owner): Promise<string> {
  return (await listArrangedBoards(viewer)).boards.map(({ name }) => name).join("");
}

test("boards stand in the order they were made until somebody arranges them", async () => {
  await makeBoards("ABC");

  expect(await arranged(null)).toBe("ABC");
});

test("who asks for it gets the newest or the oldest first, and fewer on a page", async () => {
  await makeBoards("ABC");

  const names = async (query: object) => (await listArrangedBoards(null, query)).boards.map(({ name }) => name).join("");
  expect([await names({ created: "DESC" }), await names({ created: "asc" }), await names({ limit: "2", page: "2" })]).toEqual(["CBA", "ABC", "C"]);
});

test.for([
  ["B", { to: "up" }, "BACDE", 0],
  ["B", { to: "down" }, "ACBDE", 2],
  ["D", { to: "top" }, "DABCE", 0],
  ["B", { to: "bottom" }, "ACDEB", 4],
  ["A", { to: "up" }, "ABCDE", 0],
  ["E", { to: "down" }, "ABCDE", 4],
  ["A", { to: 3 }, "BCDAE", 3],
  ["E", { to: 1 }, "AEBCD", 1],
  ["A", { to: 999 }, "BCDEA", 4],
  ["A", { before: "D" }, "BCADE", 2],
  ["D", { before: "A" }, "DABCE", 0],
  ["A", { after: "D" }, "BCDAE", 3],
  ["E", { after: "A" }, "AEBCD", 1],
  ["C", { before: "C" }, "ABCDE", 2],
  ["C", { after: "C" }, "ABCDE", 2],
] as const)("%s moved by %o leaves %s", async ([name, move, expected, place]) => {
  const boards = await makeBoards("ABCDE");
  const input = "to" in move ? move : Object.fromEntries(Object.entries(move).map(([side, other]) => [side, idOf(boards, other)]));

  expect(await moveBoard(owner, idOf(boards, name), input)).toBe(place);

  expect(await arranged()).toBe(expected);
});

test("a deleted board keeps its neighbors, and steps lead past it", async () => {
  const boards = await makeBoards("ABCD");
  await deleteBoard(owner, idOf(boards, "B"));

  await moveBoard(owner, idOf(boards, "C"), { to: "up" });
  expect(await arranged()).toBe("CAD");

  await restoreBoard(owner, idOf(boards, "B"));
  expect(await arranged()).toBe("CABD");
});

test("a private board has its place, which visitors do not see", async () => {
  const boards = await makeBoards("ABC");
  await updateBoard(owner, idOf(boards, "B"), { isPrivate: true });

  await moveBoard(owner, idOf(boards, "B"), { to: "top" });

  expect([await arranged(), await arranged(null)]).toEqual(["BAC", "AC"]);
});

test("a board made later stands behind all others, the deleted ones too", async () => {
  const boards = await makeBoards("AB");
  await deleteBoard(owner, idOf(boards, "B"));
  await makeBoards("C");

  await restoreBoard(owner, idOf(boards, "B"));

  expect(await arranged()).toBe("ABC");
});

test("only who may change boards arranges them, and only boards that are there", async () => {
  const boards = await makeBoards("AB");
  const { viewer: member } = await aMember();
  const nobody = "0190a8a0-0000-7000-8000-00000000000a";

  expect(await failureOf(moveBoard(null, idOf(boards, "A"), { to: "up" }))).toMatchObject({ code: "UNAUTHENTICATED" });
  expect(await failureOf(moveBoard(member, idOf(boards, "A"), { to: "up" }))).toMatchObject({ code: "FORBIDDEN" });
  expect(await failureOf(moveBoard(owner, nobody, { to: "up" }))).toMatchObject({ code: "BOARD_NOT_FOUND" });
  expect(await failureOf(moveBoard(owner, idOf(boards, "A"), { before: nobody }))).toMatchObject({ code: "BOARD_NOT_FOUND" });
  await deleteBoard(owner, idOf(boards, "B"));
  expect(await failureOf(moveBoard(owner, idOf(boards, "B"), { to: "top" }))).toMatchObject({ code: "BOARD_NOT_FOUND" });
  for (const input of [{}, { to: "sideways" }, { to: -1 }, { to: 1.5 }, { before: "x" }])
    expect(await failureOf(moveBoard(owner, idOf(boards, "A"), input)), JSON.stringify(input)).toMatchObject({ code: "VALIDATION_ERROR" });
});

test("every board is on exactly one page, twenty a page, and past the end there is none", async () => {
  const data = Array.from({ length: 45 }, (_, index) => ({ name: `Board ${index}`, url: `board-${index}`, color: "4f46e5", position: 45 - index }));
  await db.board.createMany({ data });
  await db.siteSettings.updateMany({ data: { publicBoardCount: 45 } });

  const pages = await Promise.all(["1", "2", "3", "4"].map((page) => listArrangedBoards(null, { page })));

  expect(pages.flatMap(({ boards }) => boards.map(({ name }) => name))).toEqual(data.map(({ name }) => name).reverse());
  expect(pages.map(({ boards, total, pages }) => [boards.length, total, pages])).toEqual([20, 20, 5, 0].map((length) => [length, 45, 3]));
  expect((await listArrangedBoards(null, { page: "9".repeat(40) })).boards).toEqual([]);
});

test("C14: after 50 moves at once, among boards made and deleted meanwhile, no place is taken twice and no board is lost", TIMEOUT, async () => {
  const boards = Object.values(await makeBoards("ABCDEFGHIJ"));
  const move = fc.record({
    which: fc.nat({ max: 9 }),
    to: fc.constantFrom("up", "down", "top", "bottom", 3, 7),
    kind: fc.constantFrom("move", "move", "move", "make", "delete"),
  });
  const [moves = []] = fc.sample(fc.array(move, { minLength: 50, maxLength: 50 }), { numRuns: 1, seed: 7 });

  const results = await Promise.allSettled(
    moves.map(async ({ which, to, kind }, index) => {
      if (kind === "make") return createBoard(owner, { name: `New ${index}` });
      return kind === "delete" ? deleteBoard(owner, boards[which]?.boardId ?? "") : moveBoard(owner, boards[which]?.boardId ?? "", { to });
    }),
  );

  const codes = results.flatMap((result) => (result.status === "rejected" ? [knownError(result.reason)?.code ?? String(result.reason)] : []));
  expect(codes.filter((code) => code !== "BOARD_NOT_FOUND")).toEqual([]);
  const positions = (await db.board.findMany({ select: { position: true }, orderBy: { position: "asc" } })).map(({ position }) => position);
  const made = moves.filter(({ kind }) => kind === "make").length;
  const ok = positions.length === 10 + made && positions.every((position, index) => position === index + 1);
  reportBar({ bar: "C14", measure: "50 moves of boards at once", figure: ok ? "a permutation" : positions.join(" "), ok });
  expect(positions).toEqual(Array.from({ length: 10 + made }, (_, index) => index + 1));
});
