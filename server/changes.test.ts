import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { dataVersion, isCurrent, stopHearing } from "#lib/changes";
import { HEARD_WITHIN_MS, startHearing } from "#lib/changes/hearing";
import { databaseKind, db } from "#lib/db";
import { env } from "#lib/env";
import { useDatabase } from "#lib/testing/database";
import { runOn } from "#lib/testing/postgres";
import { scale } from "#lib/testing/scale";
import { deleteBoard } from "./boards/deletion.ts";
import { createBoard, updateBoard } from "./boards.ts";
import { createDemo, removeDemo } from "./demo.ts";
import { updateSettings } from "./settings.ts";
import { aMember, anOwner, aSite } from "./testing/people.ts";

useDatabase();
beforeAll(async () => {
  await startHearing();
  await vi.waitFor(() => expect(dataVersion()).not.toBeNull(), { timeout: 5000, interval: 10 });
});
afterAll(stopHearing);

/** Whether `work` raised the number by the time that it returned. */
async function isNoticed(work: () => Promise<unknown>): Promise<boolean> {
  const before = dataVersion();
  await work();
  return dataVersion() !== before;
}

const ROUNDS = scale(4, 40);
const [QUIET_MS, STEP_MS] = [200, 20];

/** Waits until what was written so far has been heard by every connection: until the number has stood still for a while. */
async function quiet(): Promise<void> {
  if (databaseKind() === "embedded") return;
  for (let [seen, calm] = [dataVersion(), 0]; calm < QUIET_MS; calm += STEP_MS) {
    await sleep(STEP_MS);
    if (dataVersion() !== seen) [seen, calm] = [dataVersion(), 0];
  }
}

test("whoever writes what visitors see has raised the number when the write returns, each time", async () => {
  await aSite();
  const { viewer } = await anOwner();
  const missed: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const board = await createBoard(viewer, { name: `Board ${round}` });
    const writes: [string, () => Promise<unknown>][] = [
      ["createBoard", () => createBoard(viewer, { name: `Another ${round}` })],
      ["updateBoard", () => updateBoard(viewer, board.boardId, { url: `moved-${round}` })],
      ["a post", () => db.post.create({ data: { title: "Hello", boardId: board.boardId } })],
      ["updateSettings", () => updateSettings(viewer, { title: `Site ${round}` })],
      ["deleteBoard", () => deleteBoard(viewer, board.boardId)],
    ];
    for (const [name, write] of writes) {
      await quiet();
      if (!(await isNoticed(write))) missed.push(`${name} in round ${round}`);
    }
  }

  expect(missed).toEqual([]);
});

test("a write to one board leaves what shows another alone as it was; one to several, or to the site, leaves nothing", async () => {
  await aSite();
  const { viewer } = await anOwner();
  const [{ boardId }, other] = [await createBoard(viewer, { name: "Ideas" }), await createBoard(viewer, { name: "Bugs" })];
  const { postId } = await db.post.create({ data: { title: "Hello", boardId } });
  const [ofBoth, ofTheFirst] = [
    [false, false],
    [false, true],
  ];
  const writes: [string, () => Promise<unknown>, boolean[]][] = [
    ["its description", () => updateBoard(viewer, boardId, { description: "New" }), ofTheFirst],
    ["its address", () => updateBoard(viewer, boardId, { url: "elsewhere" }), ofTheFirst],
    ["a post", () => db.post.create({ data: { title: "Again", boardId } }), ofTheFirst],
    ["a post's title", () => db.post.update({ where: { postId }, data: { title: "Better" } }), ofTheFirst],
    ["a former address", () => db.boardUrl.create({ data: { url: "formerly", boardId } }), ofTheFirst],
    ["a post that moves", () => db.post.update({ where: { postId }, data: { boardId: other.boardId } }), ofBoth],
    ["both boards", () => db.board.updateMany({ data: { color: "123456" } }), ofBoth],
    ["nothing", () => db.board.updateMany({ where: { name: "None" }, data: { color: "123456" } }), [true, true]],
    ["a post less", () => db.post.delete({ where: { postId } }), [true, false]],
    ["the site", () => updateSettings(viewer, { title: "Another" }), ofBoth],
    ["a board less", () => deleteBoard(viewer, boardId), ofBoth],
    ["no post left", () => runOn(env().DATABASE_URL ?? "", 'TRUNCATE "Post"'), ofBoth],
  ];
  const found: [string, boolean[]][] = [];
  for (const [name, write] of databaseKind() === "embedded" ? writes.slice(0, -1) : writes) {
    await quiet();
    const before = dataVersion() ?? Number.NaN;
    await write();
    await quiet();
    found.push([name, [boardId, other.boardId].map((id) => isCurrent(before, id))]);
  }

  expect(found).toEqual(writes.slice(0, found.length).map(([name, , expected]) => [name, expected]));
});

test("of each table that visitors see every kind of write is told", async () => {
  // INSERT 4, DELETE 8, UPDATE 16, TRUNCATE 32 (PostgreSQL's pg_trigger.h).
  const kinds = await db.$queryRaw<{ name: string; kinds: number }[]>`
    SELECT "relname" AS "name", bit_or("tgtype" & 60)::int AS "kinds" FROM pg_trigger JOIN pg_class ON pg_class.oid = "tgrelid" JOIN pg_proc ON pg_proc.oid = "tgfoid"
    WHERE "proname" IN ('note_change', 'note_board_change') GROUP BY 1 ORDER BY 1`;

  expect(kinds).toEqual(["Board", "BoardUrl", "Post", "SiteSettings"].map((name) => ({ name, kinds: 60 })));
});

test("the demo is noticed, coming and going", async () => {
  await aSite();

  expect(await isNoticed(() => createDemo({ people: 1, posts: 1 }, () => {}))).toBe(true);
  await quiet();
  expect(await isNoticed(() => removeDemo())).toBe(true);
});

test("reading, signing in, being there, and what was rolled back raise nothing", async () => {
  await aSite();
  const member = await aMember();
  await quiet();

  expect(
    await isNoticed(async () => {
      await db.board.findMany();
      await db.user.update({ where: { userId: member.userId }, data: { name: "Zoë" } });
      await db.session.updateMany({ data: { lastSeenAt: new Date() } });
      await db
        .$transaction(async (tx) => {
          await tx.siteSettings.updateMany({ data: { title: "Never" } });
          throw new Error("rolled back");
        })
        .catch(() => {});
      await quiet();
    }),
  ).toBe(false);
});

test("which tables visitors see is decided for each: these they do not", async () => {
  const silent = await db.$queryRaw<{ name: string }[]>`
    SELECT "relname" AS "name" FROM pg_class WHERE "relkind" IN ('r', 'p') AND "relnamespace" = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_trigger JOIN pg_proc ON pg_proc.oid = "tgfoid" WHERE "tgrelid" = pg_class.oid AND "proname" IN ('note_change', 'note_board_change')) ORDER BY 1`;

  expect(silent.map(({ name }) => name)).toEqual(["Image", "Mail", "MailToken", "RateLimit", "Secret", "Session", "User", "_prisma_migrations"]);
});

test.runIf(process.env.TEST_DATABASE_URL)(
  "what somebody else writes to PostgreSQL is heard, and a line that breaks counts as a change until it is back",
  async () => {
    await aSite();
    await quiet();
    const before = dataVersion();
    await runOn(env().DATABASE_URL ?? "", `UPDATE "SiteSettings" SET "title" = 'By hand'`);
    await vi.waitFor(() => expect(dataVersion()).not.toBe(before), { timeout: HEARD_WITHIN_MS, interval: 10 });

    const heard = dataVersion();
    await runOn(
      env().DATABASE_URL ?? "",
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    // At once, and not only when the next probe is due.
    await vi.waitFor(() => expect(dataVersion()).toBeNull(), { timeout: 400, interval: 5 });
    await vi.waitFor(() => expect(dataVersion()).not.toBeNull(), { timeout: 10_000, interval: 10 });
    expect(dataVersion()).toBeGreaterThan(heard ?? Number.POSITIVE_INFINITY);
  },
);
