import type { Viewer } from "#lib/auth";
import { DAY_MS } from "#lib/days";
import { db } from "#lib/db";
import { isUuid } from "#lib/ids";
import { adjustBoardCount, type Board, boardFields, boardNotFound } from "../boards.ts";
import { authorize } from "../permissions.ts";
import { lockSite } from "../settings.ts";

/** Posts that one statement deletes. */
const DELETED_AT_ONCE = 1000;

/** Deleted boards can be brought back for 30 days. */
export const RESTORABLE_MS = 30 * DAY_MS;

/**
 * Deletes a board and its posts: gone from every answer at once, restorable for 30 days.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `board:delete`; BOARD_NOT_FOUND
 */
export async function deleteBoard(viewer: Viewer, boardId: string): Promise<void> {
  authorize(viewer, "board:delete");
  if (!isUuid(boardId)) throw boardNotFound();
  await db.$transaction(async (tx) => {
    await lockSite(tx);
    const [board] = await tx.board.updateManyAndReturn({ where: { boardId, deletedAt: null }, data: { deletedAt: new Date() }, select: { isPrivate: true } });
    if (!board) throw boardNotFound();
    await adjustBoardCount(tx, { isPrivate: board.isPrivate, by: -1 });
  });
}

/**
 * The boards that can be brought back, the one deleted last first; at most 100.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `board:delete`
 */
export async function listDeletedBoards(viewer: Viewer) {
  authorize(viewer, "board:delete");
  return db.board.findMany({
    where: { deletedAt: { gt: new Date(Date.now() - RESTORABLE_MS) } },
    select: { ...boardFields, deletedAt: true },
    orderBy: { deletedAt: "desc" },
    take: 100,
  });
}

/**
 * Brings a deleted board back, with its posts and addresses.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `board:delete`; BOARD_NOT_FOUND when it is not deleted or longer ago than 30 days
 */
export async function restoreBoard(viewer: Viewer, boardId: string): Promise<Board> {
  authorize(viewer, "board:delete");
  if (!isUuid(boardId)) throw boardNotFound();
  return db.$transaction(async (tx) => {
    await lockSite(tx);
    const where = { boardId, deletedAt: { gt: new Date(Date.now() - RESTORABLE_MS) } };
    const [board] = await tx.board.updateManyAndReturn({ where, data: { deletedAt: null }, select: boardFields });
    if (!board) throw boardNotFound();
    await adjustBoardCount(tx, { isPrivate: board.isPrivate, by: 1 });
    return board;
  });
}

/** Deletes for good, with their posts and addresses, the boards that can no longer be brought back. Run daily. */
export async function purgeBoards(): Promise<void> {
  const where = { deletedAt: { lte: new Date(Date.now() - RESTORABLE_MS) } };
  const boards = await db.board.findMany({ where, select: { boardId: true } });
  for (const { boardId } of boards) {
    await deletePosts(boardId);
    await db.board.deleteMany({ where: { boardId, ...where } });
  }
}

/** In parts, for a large board takes longer to empty than a request may wait for the embedded database's one connection. */
async function deletePosts(boardId: string): Promise<void> {
  let deleted: number;
  do {
    deleted = await db.$executeRaw`
      DELETE FROM "Post" WHERE "postId" IN (SELECT "postId" FROM "Post" WHERE "boardId" = ${boardId}::uuid LIMIT ${DELETED_AT_ONCE})`;
  } while (deleted === DELETED_AT_ONCE);
}
