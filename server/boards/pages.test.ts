import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { db } from "#lib/db";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { isFullScale, scale } from "#lib/testing/scale";
import { quantile } from "#lib/testing/timing";
import { type Board, listBoards } from "../boards.ts";
import { failureOf } from "../testing/failures.ts";
import { anOwner, aSite, type Person } from "../testing/people.ts";
import { cursorOf, linkHeader, parseBoardsQuery } from "./pages.ts";

useDatabase();

const START = Date.UTC(2026, 0, 1);
/** So many times what the first page takes still counts as the same: p95s of one thing differ by less. */
const FLAT = 1.5;

let owner: Person["viewer"];

beforeEach(async () => {
  await aSite();
  owner = (await anOwner()).viewer;
});

/** Makes a board for each entry, created so many milliseconds after the same moment. */
async function makeBoards(boards: { afterMs: number; isPrivate?: boolean; isDeleted?: boolean }[]): Promise<void> {
  const data = boards.map(({ afterMs, isPrivate = false, isDeleted = false }, index) => {
    return {
      name: `Board ${index}`,
      url: `board-${index}`,
      color: "4f46e5",
      isPrivate,
      createdAt: new Date(START + afterMs),
      deletedAt: isDeleted ? new Date() : null,
    };
  });
  await db.board.createMany({ data });
  const publicBoardCount = await db.board.count({ where: { deletedAt: null, isPrivate: false } });
  const privateBoardCount = await db.board.count({ where: { deletedAt: null, isPrivate: true } });
  await db.siteSettings.updateMany({ data: { publicBoardCount, privateBoardCount } });
}

/** Every board that paging shows, page by page, to the end. */
async function walk(viewer: Person["viewer"] | null, query: Record<string, string>, by: "page" | "after"): Promise<Board[]> {
  const boards: Board[] = [];
  let position: Record<string, string> = {};
  for (let page = 1; ; page += 1) {
    const answer = await listBoards(viewer, { ...query, ...position });
    boards.push(...answer.boards);
    if (!answer.next) return boards;
    position = by === "page" ? { page: String(page + 1) } : { after: cursorOf(answer.next) };
  }
}

test("without a word the ten newest boards come, the newest first", async () => {
  await makeBoards(Array.from({ length: 12 }, (_, index) => ({ afterMs: index })));

  const { boards, total } = await listBoards(null);

  expect(boards.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, index) => `Board ${11 - index}`));
  expect(total).toBe(12);
});

test("created chooses the direction, in any case", async () => {
  await makeBoards([{ afterMs: 0 }, { afterMs: 1 }, { afterMs: 2 }]);
  const names = async (created: string) => (await listBoards(null, { created })).boards.map(({ name }) => name).join();

  for (const created of ["asc", "ASC", "Asc"]) expect(await names(created)).toBe("Board 0,Board 1,Board 2");
  for (const created of ["desc", "DESC"]) expect(await names(created)).toBe("Board 2,Board 1,Board 0");
});

test.for([
  [{ page: "1", limit: "3" }, "6,5,4"],
  [{ page: "2", limit: "3" }, "3,2,1"],
  [{ page: "3", limit: "3" }, "0"],
  [{ page: "4", limit: "3" }, ""],
  [{ page: "1000000000", limit: "3" }, ""],
  [{ page: "9".repeat(40), limit: "3" }, ""],
  [{ page: "9".repeat(400), limit: "9".repeat(400) }, ""],
  [{ page: "02", limit: "3" }, "3,2,1"],
  [{ limit: "1" }, "6"],
  [{ limit: "100" }, "6,5,4,3,2,1,0"],
  [{ limit: "1000000000" }, "6,5,4,3,2,1,0"],
] as const)("of seven boards %o is %j", async ([query, numbers]) => {
  await makeBoards(Array.from({ length: 7 }, (_, index) => ({ afterMs: index })));

  const { boards, total } = await listBoards(null, query);

  expect(boards.map(({ name }) => name.slice("Board ".length)).join()).toBe(numbers);
  expect(total).toBe(7);
});

test("a limit over 100 means 100", async () => {
  await makeBoards(Array.from({ length: 101 }, (_, index) => ({ afterMs: index })));

  expect((await listBoards(null, { limit: "101" })).boards).toHaveLength(100);
});

test.for([
  ["limit", "0"],
  ["limit", "-1"],
  ["limit", "1.5"],
  ["limit", ""],
  ["limit", "NaN"],
  ["limit", "ten"],
  ["limit", "1e2"],
  ["limit", " 1"],
  ["limit", "0x10"],
  ["limit", "１"],
  ["page", "0"],
  ["page", "-1"],
  ["page", "Infinity"],
  ["page", ""],
  ["page", "1;DROP TABLE"],
  ["created", "down"],
  ["created", ""],
  ["created", "asc,desc"],
  ["after", ""],
  ["after", "x"],
  ["after", "bm90IGEgY3Vyc29y"],
] as const)("%s cannot be %j", async ([name, value]) => {
  expect(await failureOf(listBoards(null, { [name]: value }))).toMatchObject({
    code: "VALIDATION_ERROR",
    status: 400,
    field: name,
    message: expect.stringContaining(name),
  });
});

test("a cursor that was tampered with is refused, not guessed at", async () => {
  const boardId = "0190a8a0-0000-7000-8000-00000000000a";
  const position = { createdAt: new Date(START), boardId };
  const raw = (text: string) => Buffer.from(text).toString("base64url");
  const good = cursorOf(position);
  expect(parseBoardsQuery({ after: good }).after).toEqual(position);

  const tampered = [
    `${good}!`,
    `${good}=`,
    ` ${good}`,
    good.slice(1),
    good.slice(0, -2),
    raw(`-1.${boardId}`),
    raw(`0001.${boardId}`),
    raw(`99999999999999.${boardId}`),
    raw(`${START}.${boardId.replace("a", "g")}`),
    raw(`${START}.${boardId}x`),
    raw(`${START}`),
    raw(`NaN.${boardId}`),
  ];
  for (const after of tampered) expect(await failureOf(listBoards(null, { after })), after).toMatchObject({ code: "VALIDATION_ERROR", field: "after" });
  for (const time of [0, 9_999_999_999_999]) expect((await listBoards(null, { after: cursorOf({ createdAt: new Date(time), boardId }) })).boards).toEqual([]);
});

test("a cursor and a page together are refused", async () => {
  const after = cursorOf({ createdAt: new Date(START), boardId: "0190a8a0-0000-7000-8000-00000000000a" });

  expect(await failureOf(listBoards(null, { after, page: "1" }))).toMatchObject({ code: "VALIDATION_ERROR", status: 400, field: "after" });
});

test("pages never overlap and never skip, however many boards one moment has, by page and by cursor", { timeout: scale(30_000, 300_000) }, async () => {
  const board = fc.record({ afterMs: fc.nat({ max: 3 }), isPrivate: fc.boolean(), isDeleted: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(board, { maxLength: 14 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom("asc", "desc"),
      fc.boolean(),
      async (made, limit, created, isOwner) => {
        await db.board.deleteMany();
        await makeBoards(made);
        const viewer = isOwner ? owner : null;
        const visible = made.filter(({ isPrivate, isDeleted }) => !isDeleted && (isOwner || !isPrivate)).length;

        const byCursor = await walk(viewer, { created, limit: String(limit) }, "after");
        const byPage = await walk(viewer, { created, limit: String(limit) }, "page");

        const order = (a: Board, b: Board) => a.createdAt.getTime() - b.createdAt.getTime() || (a.boardId < b.boardId ? -1 : 1);
        expect(byCursor.map(({ boardId }) => boardId)).toEqual(
          [...byCursor].sort(created === "asc" ? order : (a, b) => order(b, a)).map(({ boardId }) => boardId),
        );
        expect(new Set(byCursor.map(({ boardId }) => boardId)).size).toBe(visible);
        expect(byPage).toEqual(byCursor);
      },
    ),
    { numRuns: scale(15, 300) },
  );
});

// A number leads from the nearer end: in the first half from the start, then from the other.
test.for([1, 2, 3, 5, 7, 11, 12, 22, 23, 24])("of 23 boards, %i a page, the numbers lead to the same pages as the cursor", async (limit) => {
  await makeBoards(Array.from({ length: 23 }, (_, index) => ({ afterMs: Math.floor(index / 2) })));

  for (const created of ["asc", "desc"]) {
    const byPage = await walk(null, { created, limit: String(limit) }, "page");
    expect(byPage.map(({ name }) => name)).toEqual((await walk(null, { created, limit: String(limit) }, "after")).map(({ name }) => name));
    expect(byPage).toHaveLength(23);
  }
});

test("a board made meanwhile neither repeats nor hides one for who follows the cursor", async () => {
  await makeBoards(Array.from({ length: 4 }, (_, index) => ({ afterMs: index })));
  const first = await listBoards(null, { limit: "2" });
  await db.board.create({ data: { name: "Newer", url: "newer", color: "4f46e5", createdAt: new Date(START + 99) } });

  const second = await listBoards(null, { limit: "2", after: cursorOf(first.next as NonNullable<typeof first.next>) });

  expect([...first.boards, ...second.boards].map(({ name }) => name)).toEqual(["Board 3", "Board 2", "Board 1", "Board 0"]);
  expect(second.next).toBeNull();
});

test.for([
  [{ limit: "3" }, ["first page=1", "next page=2", "next after", "last page=3"]],
  [{ limit: "3", page: "2", created: "ASC" }, ["first page=1", "prev page=1", "next page=3", "next after", "last page=3"]],
  [{ limit: "3", page: "3" }, ["first page=1", "prev page=2", "last page=3"]],
  [{ limit: "3", page: "9".repeat(40) }, ["first page=1", "prev page=3", "last page=3"]],
  [{ limit: "100" }, ["first page=1", "last page=1"]],
] as const)("of seven boards the Link header for %o names %o", async ([query, expected]) => {
  await makeBoards(Array.from({ length: 7 }, (_, index) => ({ afterMs: index })));
  const page = await listBoards(null, query);

  const links = linkHeader("/api/v1/boards", page.query, page).split(", ");

  const named = links.map((link) => {
    const [, address = "", relation = ""] = /^<([^>]+)>; rel="(\w+)"(?:; title="after")?$/.exec(link) ?? [];
    const url = new URL(address, "http://localhost");
    expect(url.pathname).toBe("/api/v1/boards");
    expect([url.searchParams.get("created"), url.searchParams.get("limit")]).toEqual([page.query.created, String(page.query.limit)]);
    return url.searchParams.has("after") ? `${relation} after` : `${relation} page=${url.searchParams.get("page")}`;
  });
  expect(named).toEqual(expected);
});

test("who follows the cursor finds the next one in Link", async () => {
  await makeBoards(Array.from({ length: 5 }, (_, index) => ({ afterMs: index })));
  const first = await listBoards(null, { limit: "2" });
  const second = await listBoards(null, { limit: "2", after: cursorOf(first.next as NonNullable<typeof first.next>) });

  expect(linkHeader("/api/v1/boards", second.query, second)).toContain(`after=${cursorOf(second.next as NonNullable<typeof second.next>)}>; rel="next"`);
});

test("without a site there are no boards", async () => {
  await db.siteSettings.deleteMany();

  expect(await listBoards(null)).toMatchObject({ boards: [], total: 0, next: null });
});

// Times say something only of many reads on a machine that does nothing else, so `npm test` measures and judges nothing. By number: `deep-pages.test.ts`.
test("I6: by cursor the last page takes as long as the first", { timeout: scale(30_000, 300_000) }, async () => {
  const [count, limit, reads] = [scale(100, 10_000), 10, scale(5, 400)];
  await makeBoards(Array.from({ length: count }, (_, afterMs) => ({ afterMs })));
  // As a server does by itself, in time; until then it guesses, and reads the whole table for the first page.
  await db.$executeRaw`ANALYZE "Board"`;
  const behind = async (place: number) => {
    const { next } = await listBoards(owner, { page: String(place / limit), limit: String(limit) });
    return next ? cursorOf(next) : "";
  };
  const queries: Record<string, string>[] = [{}, { after: await behind(count / 2) }, { after: await behind(count - limit) }];
  const times: number[][] = queries.map(() => []);

  for (let read = 0; read < reads; read++)
    for (const [index, query] of queries.entries()) {
      const start = performance.now();
      const { boards } = await listBoards(owner, { ...query, limit: String(limit) });
      times[index]?.push(performance.now() - start);
      expect(boards).toHaveLength(limit);
    }

  const [first = 0, middle = 0, last = 0] = times.map((each) => quantile(each, 0.95));
  const isFlat = Math.max(middle, last) < FLAT * first;
  reportBar({
    bar: "I6",
    measure: `by cursor, the middle and the last page of ${count} boards against the first page, p95 of ${reads} reads each`,
    figure: `${(middle / first).toFixed(2)} and ${(last / first).toFixed(2)} times ${first.toFixed(1)} ms`,
    ok: isFlat,
  });
  if (isFullScale) expect(isFlat).toBe(true);
});
