import { z } from "zod";
import type { Viewer } from "#lib/auth";
import { COLORS, hexColor, hexColorJson, randomColor } from "#lib/colors";
import { db, isDuplicate, type Tx } from "#lib/db";
import { queryPrepared } from "#lib/db/prepared";
import { AppError } from "#lib/errors";
import { isUuid } from "#lib/ids";
import { searchTextOf } from "#lib/search";
import { boundedText } from "#lib/text";
import { Prisma } from "#prisma/generated/client";
import { type BoardCursor, type BoardsQuery, parseBoardsQuery } from "./boards/pages.ts";
import { boardUrl, freeUrl } from "./boards/urls.ts";
import { authorize, can } from "./permissions.ts";
import { lockSite, THE_SITE, WRITE_ONLY } from "./settings.ts";

export const MAX_BOARD_NAME = 60;
export const MAX_BOARD_DESCRIPTION = 500;

const boardName = boundedText({ min: 1, max: MAX_BOARD_NAME, emptyProblem: "noBoardName" });
const isPrivate = z.boolean("must be true or false");
const boardDescription = boundedText({ max: MAX_BOARD_DESCRIPTION });

/** What `POST /boards` takes. */
export const newBoard = z.object({
  name: boardName,
  url: boardUrl.optional(),
  color: hexColor.optional(),
  isPrivate: isPrivate.default(false),
  description: boardDescription.default("").meta(WRITE_ONLY),
});

/** What `PATCH /boards/{boardId}` takes. */
export const boardChange = z.object({
  name: boardName.optional(),
  url: boardUrl.optional(),
  color: hexColor.optional(),
  isPrivate: isPrivate.optional(),
  description: boardDescription.optional().meta(WRITE_ONLY),
});

/** A board as lists answer it. */
export const listedBoardJson = z
  .object({
    // Never null; the interface that programs are written for allows it.
    boardId: z.uuid().nullable(),
    name: z.string(),
    color: hexColorJson,
    url: z.string(),
    createdAt: z.iso.datetime(),
    post_count: z.string().regex(/^\d+$/),
  })
  .meta({ id: "ListedBoard" });

/** A board as it is answered alone. */
export const boardJson = listedBoardJson.extend({ isPrivate: z.boolean() }).meta({ id: "Board" });

/** What lists and pages read of a board. */
export const boardFields = {
  boardId: true,
  name: true,
  description: true,
  color: true,
  url: true,
  createdAt: true,
  postCount: true,
  lastPostAt: true,
  isPrivate: true,
} satisfies Prisma.BoardSelect;

const BOARD_COLUMNS = Prisma.raw(
  Object.keys(boardFields)
    .map((name) => `"${name}"`)
    .join(", "),
);

/** What leaves the server of a board. */
export type Board = Prisma.BoardGetPayload<{ select: typeof boardFields }>;

/** One page of boards, how many there are in all, and where the next page begins (null: this is the last). */
export type BoardPage = { boards: Board[]; total: number; next: BoardCursor | null; query: BoardsQuery };

/** As long as its column. */
const MAX_SEARCH_TEXT = 1200;

/**
 * One page of the boards the viewer may see, by creation time, then id. Past the end it is empty.
 * @throws ZodError or AppError VALIDATION_ERROR if `query` is not a `boardsQuery`
 */
export async function listBoards(viewer: Viewer, query: unknown = {}): Promise<BoardPage> {
  const parsed = parseBoardsQuery(query);
  const { created, limit, page, after } = parsed;
  const beyond = created === "asc" ? Prisma.sql`>` : Prisma.sql`<`;
  const behind = after ? Prisma.sql`AND ("createdAt", "boardId") ${beyond} (${after.createdAt}::timestamptz, ${after.boardId}::uuid)` : Prisma.empty;
  // One more than asked for tells whether there is a next page.
  const { boards: rows, total } = await readPage(viewer, { order: { by: "createdAt", direction: created }, behind, page, limit, more: 1 });
  const boards = rows.slice(0, limit);
  return { boards, total, next: rows.length > limit ? (boards.at(-1) ?? null) : null, query: parsed };
}

/** An order of boards; those that share the column's value stand by their id. */
type BoardOrder = { by: "createdAt" | "position"; direction: "asc" | "desc" };

type PageWish = { order: BoardOrder; behind?: Prisma.Sql; page: number | undefined; limit: number; more?: number };

/** The boards of one page that the viewer may see, with so many `more` behind it, and how many there are in all. Past the end there are none. */
export async function readPage(viewer: Viewer, wish: PageWish): Promise<{ boards: Board[]; total: number }> {
  const rows = await readRows(viewer, wish);
  const boards = rows.flatMap(({ total: _, ...board }) => (board.boardId === null ? [] : [board]));
  return { boards, total: rows[0]?.total ?? 0 };
}

type BoardRow = (Board | { boardId: null }) & { total: number };

/**
 * In each row how many there are in all; past the end one row says only that. One statement, for it is what is asked for most.
 * A page that a number leads to is read from the nearer end, which lies where the counters say: to pass over thousands of boards takes longer than all else.
 */
function readRows(viewer: Viewer, { order, behind = Prisma.empty, page = 1, limit, more = 0 }: PageWish): Promise<BoardRow[]> {
  const seesPrivate = can(viewer, "board:read_private");
  const visible = seesPrivate ? Prisma.empty : Prisma.sql`AND NOT "isPrivate"`;
  const total = Prisma.sql`SELECT "publicBoardCount" + CASE WHEN ${seesPrivate} THEN "privateBoardCount" ELSE 0 END AS "total" FROM "SiteSettings"`;
  const boards = Prisma.sql`SELECT ${BOARD_COLUMNS}, "position" FROM "Board" WHERE "deletedAt" IS NULL ${visible} ${behind}`;
  const [forwards, backwards] = [orderSql(order), orderSql({ ...order, direction: order.direction === "asc" ? "desc" : "asc" })];
  const wanted = Prisma.sql`${limit + more}::int`;
  const before = Prisma.sql`${Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER)}::bigint`;
  const pageRows =
    page === 1
      ? Prisma.sql`${boards} ORDER BY ${forwards} LIMIT ${wanted}`
      : Prisma.sql`
        (${boards} ORDER BY ${forwards} LIMIT CASE WHEN ${before} <= "total" / 2 THEN ${wanted} ELSE 0 END OFFSET ${before})
        UNION ALL
        (${boards} ORDER BY ${backwards} LIMIT CASE WHEN ${before} > "total" / 2 THEN GREATEST(LEAST(${wanted}, "total" - ${before}), 0) ELSE 0 END
          OFFSET GREATEST("total" - ${before} - ${wanted}, 0))`;
  return queryPrepared(Prisma.sql`
    SELECT ${BOARD_COLUMNS}, "total" FROM (${total}) AS "count" LEFT JOIN LATERAL (${pageRows}) AS "page" ON true ORDER BY ${forwards}`);
}

function orderSql({ by, direction }: BoardOrder): Prisma.Sql {
  return Prisma.raw(`"${by}" ${direction}, "boardId" ${direction}`);
}

/**
 * The board with this id.
 * @throws AppError BOARD_NOT_FOUND, also when the viewer may not see it
 */
export async function getBoard(viewer: Viewer, boardId: string): Promise<Board> {
  const board = isUuid(boardId) ? await db.board.findFirst({ where: { boardId, ...visibleTo(viewer) }, select: boardFields }) : null;
  if (!board) throw boardNotFound();
  return board;
}

/**
 * The board that has, or once had, this address. Where `board.url` differs, the board has moved there.
 * @throws AppError BOARD_NOT_FOUND, also when the viewer may not see it
 */
export async function getBoardByUrl(viewer: Viewer, url: string): Promise<Board> {
  const address = boardUrl.safeParse(url);
  const board = address.success
    ? await db.board.findFirst({ where: { urls: { some: { url: address.data } }, ...visibleTo(viewer) }, select: boardFields })
    : null;
  if (!board) throw boardNotFound();
  return board;
}

/**
 * Creates a public or private board. Without `url` it gets one made from its name.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `board:create`; BOARD_URL_EXISTS if the given `url` is or was another board's
 * @throws ZodError if `input` is not a `newBoard`
 */
export async function createBoard(viewer: Viewer, input: unknown): Promise<Board> {
  authorize(viewer, "board:create");
  const board = newBoard.parse(input);
  try {
    return await db.$transaction((tx) => insertBoard(tx, board, viewer.userId));
  } catch (error) {
    if (isDuplicate(error, "url")) throw urlExists(board.url);
    throw error;
  }
}

/** A color for another board, drawn from our own: one that the newest boards do not have. */
export async function suggestColor(tx: Tx = db): Promise<string> {
  const newest = await tx.board.findMany({ where: { deletedAt: null }, select: { color: true }, orderBy: { boardId: "desc" }, take: COLORS.length - 1 });
  return randomColor(newest.map(({ color }) => color));
}

/** Creates a board in the transaction `tx`: for set-up, whose first board is made with the site. */
export async function insertBoard(tx: Tx, { url: givenUrl, ...board }: z.infer<typeof newBoard>, createdById: string): Promise<Board> {
  // First, for it locks the settings' row as `lockSite` does.
  await adjustBoardCount(tx, { isPrivate: board.isPrivate, by: 1 });
  const url = givenUrl ?? (await freeUrl(tx, board.name));
  const color = board.color ?? (await suggestColor(tx));
  // Behind all others, the deleted ones too: those may come back.
  const { _max } = await tx.board.aggregate({ _max: { position: true } });
  const data = { ...board, searchText: boardSearchText(board), position: (_max.position ?? 0) + 1, color, url, createdById };
  // Not nested: Prisma would read the board once more behind it.
  const created = await tx.board.create({ data, select: boardFields });
  await tx.boardUrl.create({ data: { url, boardId: created.boardId } });
  return created;
}

/**
 * Changes the given facts of a board. A former address keeps leading to it.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `board:update`; BOARD_NOT_FOUND; BOARD_URL_EXISTS if `url` is or was another board's
 * @throws ZodError if `input` is not a `boardChange`
 */
export async function updateBoard(viewer: Viewer, boardId: string, input: unknown): Promise<Board> {
  authorize(viewer, "board:update");
  const { isPrivate: nextIsPrivate, ...change } = boardChange.parse(input);
  await getBoard(viewer, boardId);
  try {
    return await db.$transaction(async (tx) => {
      if (change.url !== undefined || nextIsPrivate !== undefined) await lockSite(tx);
      if (change.url !== undefined) await takeUrl(tx, boardId, change.url);
      if (nextIsPrivate !== undefined) await setPrivate(tx, boardId, nextIsPrivate);
      const [board] = await tx.board.updateManyAndReturn({ where: { boardId, deletedAt: null }, data: change, select: boardFields });
      if (!board) throw boardNotFound();
      if (change.name !== undefined || change.description !== undefined)
        await tx.board.update({ where: { boardId }, data: { searchText: boardSearchText(board) } });
      return board;
    });
  } catch (error) {
    if (isDuplicate(error, "url")) throw urlExists(change.url);
    throw error;
  }
}

/** A board as the API answers it in a list. */
export function toListedBoardJson({ boardId, name, color, url, createdAt, postCount }: Board): z.infer<typeof listedBoardJson> {
  return { boardId, name, color, url, createdAt: createdAt.toISOString(), post_count: String(postCount) };
}

/** A board as the API answers it alone. */
export function toBoardJson(board: Board): z.infer<typeof boardJson> {
  return { ...toListedBoardJson(board), isPrivate: board.isPrivate };
}

/** The boards that exist for `viewer`. */
function visibleTo(viewer: Viewer): Prisma.BoardWhereInput {
  return can(viewer, "board:read_private") ? { deletedAt: null } : { deletedAt: null, isPrivate: false };
}

/** How many boards exist for `viewer`, as the counters say. */
export async function countBoards(viewer: Viewer): Promise<number> {
  const counts = await db.siteSettings.findUnique({ where: THE_SITE, select: { publicBoardCount: true, privateBoardCount: true } });
  if (!counts) return 0;
  return counts.publicBoardCount + (can(viewer, "board:read_private") ? counts.privateBoardCount : 0);
}

/** Raises or lowers the counter for a board that is there from now on, or no longer, in the transaction that makes it so. */
export async function adjustBoardCount(tx: Tx, { isPrivate, by }: { isPrivate: boolean; by: 1 | -1 }): Promise<void> {
  const change = { increment: by };
  await tx.siteSettings.update({ where: THE_SITE, data: isPrivate ? { privateBoardCount: change } : { publicBoardCount: change } });
}

async function setPrivate(tx: Tx, boardId: string, isPrivate: boolean): Promise<void> {
  const { count: changed } = await tx.board.updateMany({ where: { boardId, deletedAt: null, isPrivate: !isPrivate }, data: { isPrivate } });
  if (changed === 0) return;
  const morePrivate = isPrivate ? 1 : -1;
  const data = { privateBoardCount: { increment: morePrivate }, publicBoardCount: { decrement: morePrivate } };
  await tx.siteSettings.update({ where: THE_SITE, data });
}

async function takeUrl(tx: Tx, boardId: string, url: string): Promise<void> {
  const isOwn = await tx.boardUrl.findFirst({ where: { url, boardId }, select: { url: true } });
  if (!isOwn) await tx.boardUrl.create({ data: { url, boardId } });
}

/** What search looks through; kept with every change of either. */
export function boardSearchText({ name, description }: { name: string; description: string }): string {
  return searchTextOf(`${name} ${description}`, MAX_SEARCH_TEXT);
}

/** The answer for a board that is not there, or not for the viewer. */
export function boardNotFound(): AppError {
  return new AppError("BOARD_NOT_FOUND", "There is no such board. It may have been deleted or moved.");
}

function urlExists(url: string | undefined): AppError {
  return new AppError("BOARD_URL_EXISTS", `The address ${url ?? ""} belongs, or once belonged, to another board. Choose a different one.`, { field: "url" });
}
