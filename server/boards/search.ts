import { z } from "zod";
import type { Viewer } from "#lib/auth";
import { FEWEST_LETTERS } from "#lib/closeness";
import { db, type Tx } from "#lib/db";
import { likePattern, wordsOf } from "#lib/search";
import { searchQuery } from "#lib/search-query";
import { Prisma } from "#prisma/generated/client";
import { type Board, boardFields } from "../boards.ts";
import { can } from "../permissions.ts";
import { BOARDS_A_PAGE } from "./order.ts";
import { pageNumber } from "./pages.ts";

/** Who has not found it on five pages adds a word. */
const MAX_PAGES = 5;
const MAX_WORDS = 8;
// How alike a word and a text must at least be for the index to name the text; each word then has a measure of its own.
const LEAST_ALIKE = 0.25;

/** The query of `searchBoards`. What is longer than anybody searches for is cut, not refused. */
export const boardSearch = z.object({
  q: searchQuery(),
  page: pageNumber.default(1),
});

/**
 * One page of what was found: `total` in all, on whatever page, of which the pages hold the best (`isCut`: not all). `q` is what was looked for; empty: nothing was.
 * `isSimilar` where no board holds it and these come close.
 */
export type FoundBoards = { q: string; boards: Board[]; total: number; page: number; pages: number; isCut: boolean; isSimilar: boolean };

/**
 * One page of the boards the viewer may see whose name or description holds every word of `q`, the best first. Where none does,
 * those that hold similar words: one wrong letter is forgiven, but in a short word.
 * @throws ZodError if `query` is not a `boardSearch`
 */
export async function searchBoards(viewer: Viewer, query: unknown = {}): Promise<FoundBoards> {
  const { q, page } = boardSearch.parse(query);
  const words = wordsOf(q).slice(0, MAX_WORDS);
  if (words.length === 0) return { q, boards: [], total: 0, page, pages: 1, isCut: false, isSimilar: false };
  const exact = await readFound(db, matchingBoards(viewer, words), { words, page });
  const found = exact.total > 0 ? exact : await readSimilar(viewer, words, page);
  const pages = Math.max(1, Math.ceil(found.total / BOARDS_A_PAGE));
  return { q, ...found, page, pages: Math.min(pages, MAX_PAGES), isCut: pages > MAX_PAGES, isSimilar: found !== exact && found.total > 0 };
}

/** The boards that hold each of `words`, or, where `orSimilar`, one like it. By the index on `searchText`. */
export function matchingBoards(viewer: Viewer, words: string[], { orSimilar = false } = {}): Prisma.Sql {
  const conditions = words.map((word) => {
    const holds = Prisma.sql`"searchText" LIKE ${`%${likePattern(word)}%`}`;
    if (!orSimilar || [...word].length < FEWEST_LETTERS) return holds;
    return Prisma.sql`(${holds} OR ${word} <% "searchText" AND word_similarity(${word}, "searchText") >= ${leastAlike(word)}::float8)`;
  });
  const visible = can(viewer, "board:read_private") ? Prisma.empty : Prisma.sql`AND NOT "isPrivate"`;
  return Prisma.sql`SELECT "boardId", "name", "searchText", "position" FROM "Board" WHERE ${Prisma.join(conditions, " AND ")} AND "deletedAt" IS NULL ${visible}`;
}

/** All on one page: who meant something else than these corrects the query. */
async function readSimilar(viewer: Viewer, words: string[], page: number) {
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT set_config('pg_trgm.word_similarity_threshold', ${String(LEAST_ALIKE)}, true)`;
    const { boards } = await readFound(tx, matchingBoards(viewer, words, { orSimilar: true }), { words, page: 1 });
    return { boards: page > 1 ? [] : boards, total: boards.length };
  });
}

/**
 * pg_trgm compares groups of three letters; a word of n letters has n + 1 of them. Two letters that changed places spoil four, on
 * either side. So long words may differ in a letter or two, and those of four hardly at all.
 */
function leastAlike(word: string): number {
  const groups = [...word].length + 1;
  return Math.min(0.6, Math.max(LEAST_ALIKE, (groups - 4) / (groups + 4)));
}

async function readFound(tx: Tx, matches: Prisma.Sql, { words, page }: { words: string[]; page: number }): Promise<{ boards: Board[]; total: number }> {
  if (page > MAX_PAGES) return { boards: [], total: await countFound(tx, matches) };
  const text = words.join(" ");
  // What stands in the name counts more than what stands in the description behind it.
  const rows = await tx.$queryRaw<{ boardId: string; total: number }[]>`
    SELECT "boardId", count(*) OVER ()::int AS "total" FROM (${matches}) AS matches
    ORDER BY word_similarity(${text}, left("searchText", char_length("name"))) DESC, word_similarity(${text}, "searchText") DESC, "position", "boardId"
    LIMIT ${BOARDS_A_PAGE} OFFSET ${(page - 1) * BOARDS_A_PAGE}`;
  const boards = await tx.board.findMany({ where: { boardId: { in: rows.map(({ boardId }) => boardId) } }, select: boardFields });
  const byId = new Map(boards.map((board) => [board.boardId, board]));
  // Behind the last page no row is left to tell how many there are.
  const total = rows[0]?.total ?? (page > 1 ? await countFound(tx, matches) : 0);
  return { boards: rows.flatMap(({ boardId }) => byId.get(boardId) ?? []), total };
}

async function countFound(tx: Tx, matches: Prisma.Sql): Promise<number> {
  const [counted] = await tx.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS "total" FROM (${matches}) AS matches`;
  return counted?.total ?? 0;
}
