import { beforeEach, expect, test } from "vitest";
import { db } from "#lib/db";
import { foldForSearch } from "#lib/search";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import type { Prisma } from "#prisma/generated/client";
import { createBoard, updateBoard } from "../boards.ts";
import { failureOf } from "../testing/failures.ts";
import { aMember, anOwner, aSite, type Person } from "../testing/people.ts";
import { deleteBoard } from "./deletion.ts";
import { matchingBoards, searchBoards } from "./search.ts";

useDatabase();

let owner: Person["viewer"];

beforeEach(async () => {
  await aSite();
  owner = (await anOwner()).viewer;
});

/** The names of the boards that are found, the best first. */
async function found(q: string, viewer: Person["viewer"] | null = null): Promise<string[]> {
  return (await searchBoards(viewer, { q })).boards.map(({ name }) => name);
}

test("a board is found by any part of its name or description, whatever case and accents", async () => {
  await createBoard(owner, { name: "☕ Café wünsche", description: "Everything about the counter" });
  await createBoard(owner, { name: "Bugs" });

  for (const q of ["cafe", "CAFÉ", "afe wun", "wünsche café", "counter", "  counter   café ", "☕"]) expect(await found(q), q).toEqual(["☕ Café wünsche"]);
  for (const q of ["nothing like it", "counter bugs", "zzz"]) expect(await found(q), q).toEqual([]);
});

test.for(["intergations", "integratons", "itnegrations", "integrstions", "integrationss"])("one typing mistake as in %s still finds", async (q) => {
  await createBoard(owner, { name: "🔌 Integrations", description: "Other programs that ours should talk to." });
  await createBoard(owner, { name: "📊 Reports" });

  expect(await found(q)).toEqual(["🔌 Integrations"]);
  expect([(await searchBoards(null, { q })).isSimilar, (await searchBoards(null, { q: "integrations" })).isSimilar]).toEqual([true, false]);
});

test.for([
  ["bigs", "Bugs"],
  ["raodmap", "Roadmap"],
  ["mobil ap", "Mobile app"],
  ["feeture request", "Feature requests"],
] as const)("%s finds %s", async ([q, name]) => {
  for (const each of ["Bugs", "Roadmap", "Mobile app", "Feature requests"]) await createBoard(owner, { name: each });

  expect((await found(q))[0]).toBe(name);
});

test("of a short word no mistake is forgiven: nearly every board would be like it", async () => {
  for (const name of ["Bugs", "Mobile app"]) await createBoard(owner, { name });

  for (const q of ["bxy", "bgu", "mob bxy"]) expect(await found(q), q).toEqual([]);
  for (const q of ["bug", "ugs", "bu"]) expect(await found(q), q).toEqual(["Bugs"]);
});

test("names come before descriptions, and what is only similar is left out where something fits", async () => {
  await createBoard(owner, { name: "Everything else", description: "Reports of any other kind" });
  await createBoard(owner, { name: "Reports" });
  await createBoard(owner, { name: "Resorts" });

  expect(await found("reports")).toEqual(["Reports", "Everything else"]);
});

test("what means something to a pattern is looked for as it stands", async () => {
  for (const name of ["100 % off", "snake_case", "back\\slash", "Other"]) await createBoard(owner, { name });

  expect([await found("%"), await found("_"), await found("\\"), await found("100 %")]).toEqual([
    ["100 % off"],
    ["snake_case"],
    ["back\\slash"],
    ["100 % off"],
  ]);
});

test("names of any script are found by their parts", async () => {
  for (const name of ["مقترحات العملاء", "功能请求", "Обратная связь"]) await createBoard(owner, { name });

  expect([await found("مقترح"), await found("请求"), await found("СВЯЗЬ")]).toEqual([["مقترحات العملاء"], ["功能请求"], ["Обратная связь"]]);
});

test("private boards are found by who may read them, deleted ones by nobody", async () => {
  const { viewer: member } = await aMember();
  const hidden = await createBoard(owner, { name: "Canary plans", isPrivate: true });

  expect(await found("canary", owner)).toEqual(["Canary plans"]);
  for (const viewer of [null, member]) expect(await searchBoards(viewer, { q: "canary" })).toMatchObject({ boards: [], total: 0 });
  await deleteBoard(owner, hidden.boardId);
  expect(await found("canary", owner)).toEqual([]);
});

test("a board is found by what it says now", async () => {
  const { boardId } = await createBoard(owner, { name: "Ideas", description: "Anything goes" });

  await updateBoard(owner, boardId, { description: "Wishes only" });
  expect([await found("wishes"), await found("anything")]).toEqual([["Ideas"], []]);
  await updateBoard(owner, boardId, { name: "Suggestions" });

  expect([await found("suggestions"), await found("wishes"), await found("ideas"), await found("anything")]).toEqual([
    ["Suggestions"],
    ["Suggestions"],
    [],
    [],
  ]);
});

test.for(["", "   ", "\u0000", "\u0300"])("%j looks for nothing", async (q) => {
  await createBoard(owner, { name: "Ideas" });

  expect(await searchBoards(null, { q })).toMatchObject({ boards: [], total: 0 });
});

test.for(["x".repeat(10_000), "a b c d e f g h i j k l", "\ud800", "a\u0000b", "🪁".repeat(300)])("a strange query is answered", async (q) => {
  expect((await searchBoards(null, { q })).boards).toEqual([]);
});

test.for(["2", "6", "9".repeat(20)])("page %s behind the last is empty, and tells what was found all the same", async (page) => {
  for (const name of ["Integrations", "More integrations"]) await createBoard(owner, { name });

  const [exact, similar, none] = await Promise.all(["integrations", "intergations", "zzzzzzzz"].map((q) => searchBoards(null, { q, page })));
  expect(exact).toMatchObject({ boards: [], total: 2, pages: 1, isSimilar: false });
  expect(similar).toMatchObject({ boards: [], total: 2, pages: 1, isSimilar: true });
  expect(none).toMatchObject({ boards: [], total: 0, isSimilar: false });
});

test("a page that is no number is refused", async () => {
  expect(await failureOf(searchBoards(null, { q: "a", page: "x" }))).toMatchObject({ code: "VALIDATION_ERROR" });
});

test("among 10,000 boards the pages hold the hundred best, each once, and the index is what finds them", { timeout: 60_000 }, async () => {
  await makeManyBoards();

  const pages = await Promise.all(["1", "2", "3", "4", "5", "6"].map((page) => searchBoards(null, { q: "wish", page })));
  const names = pages.flatMap(({ boards }) => boards.map(({ name }) => name));
  expect([names.length, new Set(names).size, pages.at(-1)?.boards.length]).toEqual([100, 100, 0]);
  for (const page of [pages[0], pages.at(-1)]) expect(page).toMatchObject({ total: 5000, pages: 5, isCut: true });

  const plans = [
    await planOf(matchingBoards(null, ["number-4711"])),
    await planOf(matchingBoards(null, ["number-4711"], { orSimilar: true }), { isForced: true }),
  ];
  const startedAt = performance.now();
  expect(await found("number-4711")).toEqual(["Board number-4711 for a wish"]);
  const tookMs = Math.round(performance.now() - startedAt);
  const ok = tookMs <= 150 && plans.every((plan) => plan.includes("Board_searchText_idx"));
  reportBar({ bar: "U13", measure: "search among 10,000 boards (rule)", figure: `${tookMs} ms`, ok });
  for (const plan of plans) expect(plan).toContain("Board_searchText_idx");
});

/** How the database finds these; `isForced`: how it would if it must not read them all, which among so few it still may prefer. */
async function planOf(query: Prisma.Sql, { isForced = false } = {}): Promise<string> {
  return db.$transaction(async (tx) => {
    if (isForced) await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
    const lines = await tx.$queryRaw<{ "QUERY PLAN": string }[]>`EXPLAIN ${query}`;
    return lines.map((line) => line["QUERY PLAN"]).join("\n");
  });
}

async function makeManyBoards(): Promise<void> {
  for (let start = 0; start < 10_000; start += 1000) {
    const data = Array.from({ length: 1000 }, (_, index) => {
      const name = `Board number-${start + index} for a ${index % 2 ? "wish" : "bug"}`;
      return { name, url: `board-${start + index}`, color: "4f46e5", position: start + index, searchText: foldForSearch(name) };
    });
    await db.board.createMany({ data });
  }
  // As the database does by itself a minute later; it also sorts the new rows into the index.
  await db.$executeRaw`VACUUM ANALYZE "Board"`;
}
