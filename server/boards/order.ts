import { z } from "zod";
import type { Viewer } from "#lib/auth";
import { db, type Tx } from "#lib/db";
import { type Board, boardNotFound, readPage } from "../boards.ts";
import { authorize } from "../permissions.ts";
import { lockSite } from "../settings.ts";
import { direction, pageLimit, pageNumber } from "./pages.ts";

/** Boards on one page of a list that people read. */
export const BOARDS_A_PAGE = 20;

/** The query of `listArrangedBoards`: `created` asks for another order, by creation time. */
export const arrangedQuery = z.object({ created: direction.optional(), page: pageNumber.default(1), limit: pageLimit(BOARDS_A_PAGE) });

/** Where a board is to go: a step, an end of the list, a place counted from 0, or beside another board. */
const boardMove = z.union([
  z.object({ to: z.union([z.enum(["up", "down", "top", "bottom"]), z.int().min(0)], "must be up, down, top, bottom or a place from 0") }),
  z.object({ before: z.uuid("must be the id of a board") }),
  z.object({ after: z.uuid("must be the id of a board") }),
]);

type Move = z.infer<typeof boardMove>;
type Placed = { boardId: string; position: number; deletedAt: Date | null };

/** One page of boards, how many there are in all, and on how many pages. */
export type ArrangedPage = { boards: Board[]; total: number; pages: number; query: z.infer<typeof arrangedQuery> };

/**
 * One page of the boards the viewer may see, in the order that the team arranged unless `created` asks for another. Past the end it is empty.
 * @throws ZodError if `query` is not an `arrangedQuery`
 */
export async function listArrangedBoards(viewer: Viewer, query: unknown = {}): Promise<ArrangedPage> {
  const parsed = arrangedQuery.parse(query);
  const { created, page, limit } = parsed;
  const { boards, total } = await readPage(viewer, { order: { by: created ? "createdAt" : "position", direction: created ?? "asc" }, page, limit });
  return { boards, total, pages: Math.max(1, Math.ceil(total / limit)), query: parsed };
}

/**
 * Moves a board within the order that the team arranged, and returns its new place, counted from 0. A place beyond the end means the end.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `board:update`; BOARD_NOT_FOUND, also for the board beside which it is to go
 * @throws ZodError if `input` is not a `boardMove`
 */
export async function moveBoard(viewer: Viewer, boardId: string, input: unknown): Promise<number> {
  authorize(viewer, "board:update");
  const move = boardMove.parse(input);
  return db.$transaction(async (tx) => {
    await lockSite(tx);
    const all = await tx.board.findMany({ select: { boardId: true, position: true, deletedAt: true }, orderBy: [{ position: "asc" }, { boardId: "asc" }] });
    const shown = all.filter(({ deletedAt }) => deletedAt === null);
    const from = placeOf(shown, boardId);
    const to = Math.min(Math.max(destination(move, from, shown), 0), shown.length - 1);
    if (to !== from) await place(tx, reordered(all, shown[from] as Placed, { behind: to > from, of: shown[to] as Placed }));
    return to;
  });
}

function placeOf(boards: Placed[], boardId: string): number {
  const place = boards.findIndex((board) => board.boardId === boardId.toLowerCase());
  if (place === -1) throw boardNotFound();
  return place;
}

/** The place that a move leads to, as it is counted once the board has left its own. */
function destination(move: Move, from: number, shown: Placed[]): number {
  if ("before" in move) {
    const next = placeOf(shown, move.before);
    return next > from ? next - 1 : next;
  }
  if ("after" in move) {
    const previous = placeOf(shown, move.after);
    return previous < from ? previous + 1 : previous;
  }
  if (typeof move.to === "number") return move.to;
  return { up: from - 1, down: from + 1, top: 0, bottom: shown.length - 1 }[move.to];
}

/** All boards with `board` moved beside another one. Deleted boards keep their neighbors, for they may come back. */
function reordered(all: Placed[], board: Placed, { behind, of }: { behind: boolean; of: Placed }): Placed[] {
  const others = all.filter((other) => other !== board);
  return others.toSpliced(others.indexOf(of) + (behind ? 1 : 0), 0, board);
}

/** Numbers the boards from 1 in this order, and writes those whose number changed. */
async function place(tx: Tx, order: Placed[]): Promise<void> {
  const changed = order.flatMap(({ boardId, position }, index) => (position === index + 1 ? [] : [{ boardId, position: index + 1 }]));
  const [ids, positions] = [changed.map(({ boardId }) => boardId), changed.map(({ position }) => position)];
  await tx.$executeRaw`
    UPDATE "Board" SET "position" = placed."position"
    FROM unnest(${ids}::uuid[], ${positions}::int[]) AS placed("boardId", "position")
    WHERE "Board"."boardId" = placed."boardId"`;
}
