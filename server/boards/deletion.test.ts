import { beforeEach, expect, test } from "vitest";
import { HOUR_MS } from "#lib/days";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { type Board, createBoard, getBoard, getBoardByUrl, listBoards, updateBoard } from "../boards.ts";
import { failureOf } from "../testing/failures.ts";
import { aMember, anOwner, aSite, type Person } from "../testing/people.ts";
import { deleteBoard, listDeletedBoards, purgeBoards, RESTORABLE_MS, restoreBoard } from "./deletion.ts";

useDatabase();

const NOT_FOUND = { code: "BOARD_NOT_FOUND", status: 404 };

let owner: Person["viewer"];
let board: Board;

beforeEach(async () => {
  await aSite();
  owner = (await anOwner()).viewer;
  board = await createBoard(owner, { name: "Ideas" });
  await updateBoard(owner, board.boardId, { url: "wishes" });
  await db.post.create({ data: { boardId: board.boardId, title: "Dark mode" } });
});

/** Moves the board's deletion so many milliseconds into the past. */
async function deletedAgo(ms: number): Promise<void> {
  await db.board.update({ where: { boardId: board.boardId }, data: { deletedAt: new Date(Date.now() - ms) } });
}

test("a deleted board is gone from every answer at once, for owners too", async () => {
  await deleteBoard(owner, board.boardId);

  for (const viewer of [owner, null]) {
    expect(await listBoards(viewer)).toMatchObject({ boards: [], total: 0 });
    expect(await failureOf(getBoard(viewer, board.boardId))).toMatchObject(NOT_FOUND);
    for (const url of ["ideas", "wishes"]) expect(await failureOf(getBoardByUrl(viewer, url))).toMatchObject(NOT_FOUND);
  }
  expect(await failureOf(updateBoard(owner, board.boardId, { name: "Back" }))).toMatchObject(NOT_FOUND);
  expect(await failureOf(deleteBoard(owner, board.boardId))).toMatchObject(NOT_FOUND);
});

test("its addresses stay its own while it can come back", async () => {
  await deleteBoard(owner, board.boardId);

  for (const url of ["ideas", "wishes"]) expect(await failureOf(createBoard(owner, { name: "Other", url }))).toMatchObject({ code: "BOARD_URL_EXISTS" });
});

test("it comes back as it was, with its posts and addresses", async () => {
  const before = await getBoard(owner, board.boardId);
  await deleteBoard(owner, board.boardId);

  expect(await restoreBoard(owner, board.boardId)).toEqual(before);

  expect(await listBoards(null)).toMatchObject({ boards: [before], total: 1 });
  expect(await getBoardByUrl(null, "ideas")).toEqual(before);
  expect(await db.post.count({ where: { boardId: board.boardId } })).toBe(1);
});

test("a private board comes back private", async () => {
  await updateBoard(owner, board.boardId, { isPrivate: true });
  await deleteBoard(owner, board.boardId);

  await restoreBoard(owner, board.boardId);

  expect([(await listBoards(null)).total, (await listBoards(owner)).total]).toEqual([0, 1]);
});

test("owners see what can come back, the last deleted first", async () => {
  const other = await createBoard(owner, { name: "Bugs" });
  const gone = await createBoard(owner, { name: "Long gone" });
  for (const { boardId } of [board, other, gone]) await deleteBoard(owner, boardId);
  await deletedAgo(HOUR_MS);
  await db.board.update({ where: { boardId: gone.boardId }, data: { deletedAt: new Date(Date.now() - RESTORABLE_MS) } });

  expect((await listDeletedBoards(owner)).map(({ name }) => name)).toEqual(["Bugs", "Ideas"]);
});

test("for 30 days it can come back, and no longer", async () => {
  expect(RESTORABLE_MS).toBe(30 * 24 * HOUR_MS);
  await deletedAgo(RESTORABLE_MS + 1000);
  expect(await failureOf(restoreBoard(owner, board.boardId))).toMatchObject(NOT_FOUND);

  await deletedAgo(RESTORABLE_MS - HOUR_MS);
  expect(await restoreBoard(owner, board.boardId)).toMatchObject({ name: "Ideas" });
});

test("then it is purged, with its posts, and its addresses are free", async () => {
  const kept = await createBoard(owner, { name: "Kept" });
  await deletedAgo(RESTORABLE_MS + 1000);

  await purgeBoards();

  expect(await db.board.findMany({ select: { boardId: true } })).toEqual([{ boardId: kept.boardId }]);
  expect(await db.post.count()).toBe(0);
  expect(await createBoard(owner, { name: "Ideas", url: "ideas" })).toMatchObject({ url: "ideas" });
});

test("what was deleted lately is not purged", async () => {
  await deletedAgo(RESTORABLE_MS - HOUR_MS);

  await purgeBoards();

  expect(await db.board.count()).toBe(1);
});

test("a board that is not deleted cannot be brought back", async () => {
  expect(await failureOf(restoreBoard(owner, board.boardId))).toMatchObject(NOT_FOUND);
  for (const boardId of ["x", "", "0190a8a0-0000-7000-8000-00000000000a"]) {
    expect(await failureOf(restoreBoard(owner, boardId))).toMatchObject(NOT_FOUND);
    expect(await failureOf(deleteBoard(owner, boardId))).toMatchObject(NOT_FOUND);
  }
  expect(await listBoards(null)).toMatchObject({ total: 1 });
});

test("members and strangers delete nothing, bring nothing back and see nothing deleted", async () => {
  const member = (await aMember()).viewer;
  for (const act of [deleteBoard, restoreBoard, (viewer: Person["viewer"] | null) => listDeletedBoards(viewer)]) {
    expect(await failureOf(act(member, board.boardId))).toMatchObject({ code: "FORBIDDEN" });
    expect(await failureOf(act(null, board.boardId))).toMatchObject({ code: "UNAUTHENTICATED" });
  }
  expect(await listBoards(null)).toMatchObject({ total: 1 });
});
