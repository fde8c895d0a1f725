import { beforeEach, expect, test } from "vitest";
import { COLORS } from "#lib/colors";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { deleteBoard } from "./boards/deletion.ts";
import { boardJson, createBoard, getBoard, getBoardByUrl, listBoards, listedBoardJson, toBoardJson, toListedBoardJson, updateBoard } from "./boards.ts";
import { failureOf } from "./testing/failures.ts";
import { aMember, anOwner, aSite, type Person } from "./testing/people.ts";

useDatabase();

const NO_BOARD = "0190a8a0-0000-7000-8000-00000000000a";

let owner: Person["viewer"];
let member: Person["viewer"];

beforeEach(async () => {
  await aSite();
  owner = (await anOwner()).viewer;
  member = (await aMember()).viewer;
});

test("a new board is public, has an address made from its name, and a color", async () => {
  const board = await createBoard(owner, { name: " 💡 Feature Ideas " });

  expect(board).toEqual({
    boardId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    name: "💡 Feature Ideas",
    color: expect.stringMatching(/^[0-9a-f]{6}$/),
    url: "feature-ideas",
    createdAt: expect.any(Date),
    description: "",
    lastPostAt: null,
    postCount: 0,
    isPrivate: false,
  });
  expect(await getBoard(null, board.boardId)).toEqual(board);
  expect(await getBoardByUrl(null, "feature-ideas")).toEqual(board);
  expect((await listBoards(null)).boards).toEqual([board]);
});

test("what the API says of a board is what its schema says, and no more", async () => {
  const board = await createBoard(owner, { name: "Ideas" });

  expect(listedBoardJson.strict().parse(toListedBoardJson(board))).toEqual({
    ...toListedBoardJson(board),
    createdAt: board.createdAt.toISOString(),
    post_count: "0",
  });
  expect(Object.keys(toListedBoardJson(board)).sort()).toEqual(["boardId", "color", "createdAt", "name", "post_count", "url"]);
  expect(boardJson.strict().parse(toBoardJson(board))).toMatchObject({ isPrivate: false });
  expect(toListedBoardJson({ ...board, postCount: 1_234_567 }).post_count).toBe("1234567");
});

test("of as many boards as there are colors of our own, no two look alike, and a chosen color takes none away", async () => {
  await createBoard(owner, { name: "Chosen", color: "123456" });
  const colors: string[] = [];
  for (let made = 0; made < COLORS.length; made++) colors.push((await createBoard(owner, { name: `Board ${made}` })).color);

  expect(colors.toSorted()).toEqual(COLORS.toSorted());
});

test("a deleted board takes no color away", async () => {
  const colors: string[] = [];
  for (let made = 0; made < COLORS.length - 1; made++) colors.push((await createBoard(owner, { name: `Board ${made}` })).color);
  const [last] = COLORS.filter((color) => !colors.includes(color));
  const { boardId } = await createBoard(owner, { name: "Gone", color: last });
  await deleteBoard(owner, boardId);

  expect((await createBoard(owner, { name: "Another" })).color).toBe(last);
});

test("given facts are kept, a color in lower case", async () => {
  expect(await createBoard(owner, { name: "Ideas", url: "what-we-need", color: "FFaa00", isPrivate: true })).toMatchObject({
    url: "what-we-need",
    color: "ffaa00",
    isPrivate: true,
  });
});

test("what a board does not take is ignored", async () => {
  const createdById = NO_BOARD;
  const board = await createBoard(owner, {
    name: "Ideas",
    boardId: NO_BOARD,
    postCount: 99,
    post_count: "99",
    createdAt: "2020-01-01",
    deletedAt: "2020-01-01",
    createdById,
    isDemo: true,
    unknown: {},
  });
  const row = await db.board.findFirstOrThrow();

  expect(row).toMatchObject({ postCount: 0, deletedAt: null, createdById: owner.userId, isDemo: false });
  expect(row.boardId).not.toBe(NO_BOARD);
  expect(Date.now() - row.createdAt.getTime()).toBeLessThan(60_000);

  await updateBoard(owner, board.boardId, { boardId: NO_BOARD, postCount: 99, createdAt: "2020-01-01", deletedAt: "2020-01-01", createdById, isDemo: true });
  expect(await db.board.findMany()).toEqual([row]);
});

test.for([
  ["name", undefined],
  ["name", ""],
  ["name", "  "],
  ["name", "🎉".repeat(61)],
  ["name", null],
  ["name", ["Ideas"]],
  ["name", { contains: "" }],
  ["name", "a\0b"],
  ["name", "half \ud83c"],
  ["url", ""],
  ["url", "Ideas"],
  ["url", "two words"],
  ["url", "-ideas"],
  ["url", "ideas-"],
  ["url", "ide--as"],
  ["url", "ideas/x"],
  ["url", "../ideas"],
  ["url", "%00"],
  ["url", "🎉"],
  ["url", "x".repeat(81)],
  ["url", null],
  ["url", 7],
  ["url", ["ideas"]],
  ["color", "#ffaa00"],
  ["color", "ffaa0"],
  ["color", "ffaa000"],
  ["color", "gggggg"],
  ["color", "ffaa00\n"],
  ["color", null],
  ["isPrivate", "true"],
  ["isPrivate", 1],
  ["isPrivate", null],
] as const)("%s cannot be %j", async ([field, value]) => {
  const board = await createBoard(owner, { name: "Ideas" });

  const refused = { code: "VALIDATION_ERROR", status: 400, field, message: expect.stringContaining(field) };
  expect(await failureOf(createBoard(owner, { name: "More ideas", [field]: value }))).toMatchObject(refused);
  if (value !== undefined) expect(await failureOf(updateBoard(owner, board.boardId, { [field]: value }))).toMatchObject(refused);
  expect(await db.board.count()).toBe(1);
});

test("a name of 60 emoji and an address of 80 letters fit", async () => {
  expect(await createBoard(owner, { name: "🎉".repeat(60), url: "я".repeat(80) })).toMatchObject({ name: "🎉".repeat(60), url: "я".repeat(80) });
});

test("members and strangers make and change nothing, and are told so before anything else is looked at", async () => {
  const { boardId } = await createBoard(owner, { name: "Ideas" });

  for (const act of [
    (viewer: Person["viewer"] | null) => createBoard(viewer, {}),
    (viewer: Person["viewer"] | null) => updateBoard(viewer, boardId, { name: "" }),
  ]) {
    expect(await failureOf(act(member))).toMatchObject({ code: "FORBIDDEN", status: 403 });
    expect(await failureOf(act(null))).toMatchObject({ code: "UNAUTHENTICATED", status: 401 });
  }
});

test("what is wrong with a change is said before that there is no such board", async () => {
  expect(await failureOf(updateBoard(owner, NO_BOARD, { name: "" }))).toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await failureOf(updateBoard(owner, NO_BOARD, { name: "Ideas" }))).toMatchObject({ code: "BOARD_NOT_FOUND", status: 404 });
});

test.for([NO_BOARD, "x", "", "..", "%2e%2e", "\0", "1", "x".repeat(10_000), "0190a8a0-0000-7000-8000-00000000000g"])(
  "there is no board %j",
  async (boardId) => {
    for (const ask of [() => getBoard(null, boardId), () => getBoardByUrl(null, boardId), () => updateBoard(owner, boardId, { name: "Ideas" })]) {
      expect(await failureOf(ask())).toMatchObject({ code: "BOARD_NOT_FOUND", status: 404 });
    }
  },
);

test("an id in capitals is the same id", async () => {
  const { boardId } = await createBoard(owner, { name: "Ideas" });

  expect(await getBoard(null, boardId.toUpperCase())).toMatchObject({ boardId });
});

test("a change keeps what it does not name", async () => {
  const board = await createBoard(owner, { name: "Ideas", color: "ffaa00" });

  expect(await updateBoard(owner, board.boardId, { name: "Wishes" })).toEqual({ ...board, name: "Wishes" });
  expect(await updateBoard(owner, board.boardId, { color: "00FF00", isPrivate: true })).toEqual({ ...board, name: "Wishes", color: "00ff00", isPrivate: true });
  expect(await updateBoard(owner, board.boardId, {})).toMatchObject({ name: "Wishes" });
});

test("a former address leads to the board, and stays its own", async () => {
  const { boardId } = await createBoard(owner, { name: "Ideas" });

  await updateBoard(owner, boardId, { url: "wishes" });
  await updateBoard(owner, boardId, { url: "needs" });

  for (const url of ["ideas", "wishes", "needs"]) expect(await getBoardByUrl(null, url)).toMatchObject({ boardId, url: "needs" });
  expect(await updateBoard(owner, boardId, { url: "ideas" })).toMatchObject({ url: "ideas" });
  expect(await getBoardByUrl(null, "needs")).toMatchObject({ url: "ideas" });
});

test("an address is unique among present and past ones", async () => {
  const { boardId } = await createBoard(owner, { name: "Ideas" });
  await updateBoard(owner, boardId, { url: "wishes" });
  const other = await createBoard(owner, { name: "Bugs" });

  for (const url of ["ideas", "wishes"]) {
    const taken = { code: "BOARD_URL_EXISTS", status: 409, field: "url", message: expect.stringContaining(url) };
    expect(await failureOf(createBoard(owner, { name: "Third", url }))).toMatchObject(taken);
    expect(await failureOf(updateBoard(owner, other.boardId, { url, name: "Renamed", isPrivate: true }))).toMatchObject(taken);
  }
  expect(await getBoard(null, other.boardId)).toEqual(other);
  expect(await createBoard(owner, { name: "Ideas" })).toMatchObject({ url: "ideas-2" });
});

test("a private board exists for owners alone: not in lists, counts, by id or by any address", async () => {
  await createBoard(owner, { name: "Ideas" });
  const { boardId } = await createBoard(owner, { name: "Canary", isPrivate: true });
  await updateBoard(owner, boardId, { url: "canary-now" });

  expect(await listBoards(owner)).toMatchObject({ total: 2, boards: [{ name: "Canary" }, { name: "Ideas" }] });
  for (const viewer of [null, member]) {
    const page = await listBoards(viewer, { limit: "1" });
    expect(page).toMatchObject({ total: 1, next: null });
    expect(JSON.stringify(page)).not.toMatch(/canary/i);
    for (const ask of [() => getBoard(viewer, boardId), () => getBoardByUrl(viewer, "canary"), () => getBoardByUrl(viewer, "canary-now")]) {
      expect(await failureOf(ask())).toMatchObject({ code: "BOARD_NOT_FOUND", message: "There is no such board. It may have been deleted or moved." });
    }
  }
});

test("a board that becomes private is gone for others at once, and comes back", async () => {
  const { boardId } = await createBoard(owner, { name: "Ideas" });

  await updateBoard(owner, boardId, { isPrivate: true });
  expect(await listBoards(null)).toMatchObject({ total: 0, boards: [] });
  await updateBoard(owner, boardId, { isPrivate: true });
  expect(await listBoards(owner)).toMatchObject({ total: 1 });

  await updateBoard(owner, boardId, { isPrivate: false });
  expect(await listBoards(null)).toMatchObject({ total: 1, boards: [{ boardId }] });
});

test("a board says what belongs in it, in one line of up to 500 characters", async () => {
  const { boardId, description } = await createBoard(owner, { name: "Ideas" });
  expect(description).toBe("");

  expect(await updateBoard(owner, boardId, { description: "  What you wish for. " })).toMatchObject({ description: "What you wish for." });
  expect(await updateBoard(owner, boardId, { name: "Wishes" })).toMatchObject({ description: "What you wish for." });
  expect((await getBoard(null, boardId)).description).toBe("What you wish for.");
  for (const wrong of ["x".repeat(501), "two\nlines", 7])
    expect(await failureOf(updateBoard(owner, boardId, { description: wrong })), String(wrong)).toMatchObject({
      code: "VALIDATION_ERROR",
      field: "description",
    });
  expect(await updateBoard(owner, boardId, { description: "" })).toMatchObject({ description: "" });
});

test("a description that grows when search folds it can be kept", async () => {
  const description = "ﷺ".repeat(500);

  const { boardId } = await createBoard(owner, { name: "Ideas", description });

  expect(await getBoard(owner, boardId)).toMatchObject({ description });
  expect(await updateBoard(owner, boardId, { description: "x" })).toMatchObject({ description: "x" });
});
