import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { closeDatabase, databaseKind, db, isDuplicate, isUnavailable, openDatabase, openDriver, pingDatabase, tidyDatabase } from "#lib/db";
import { checkServer, createPool, PostgresAdapter } from "#lib/postgres";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { createDatabase, dropDatabase, runOn } from "#lib/testing/postgres";
import { startProgram } from "#lib/testing/processes";
import { PrismaClient } from "#prisma/generated/client";

useDatabase();

const board = { name: "Ideas", url: "ideas", color: "4f46e5" };

/** What `promise` fails with; undefined if it does not. */
function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test("importing it opens nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "heard-lazy-"));
  const program = startProgram("import-only", { DATA_DIR: join(folder, "data") }, { args: [folder] });

  const { code } = await program.ended;

  rmSync(folder, { recursive: true });
  expect(code).toBe(0);
  expect(program.lines).toEqual(["function", "found "]);
});

test("a closed database opens again at the next query", async () => {
  await db.board.create({ data: board });
  await closeDatabase();

  expect(await db.board.count()).toBe(1);
});

test("instants come back as they were given, and lie in the database as UTC", async () => {
  const createdAt = new Date("2026-03-29T01:30:00.123Z");

  await db.board.create({ data: { ...board, createdAt } });

  expect(await db.board.findUnique({ where: { url: board.url }, select: { createdAt: true } })).toEqual({ createdAt });
  expect(await db.$queryRaw`SELECT to_char("createdAt", 'HH24:MI TZH') AS "text" FROM "Board"`).toEqual([{ text: "01:30 +00" }]);
});

test("a second row with a taken value is told from other failures, by its column", async () => {
  await db.board.create({ data: board });

  const taken = await failure(db.board.create({ data: board }));
  const tooLong = await failure(db.board.create({ data: { ...board, url: "x".repeat(81) } }));

  expect(isDuplicate(taken)).toBe(true);
  expect(isDuplicate(taken, "url")).toBe(true);
  expect(isDuplicate(taken, "name")).toBe(false);
  expect(isUnavailable(taken)).toBe(false);
  expect(isDuplicate(tooLong)).toBe(false);
  expect(isDuplicate(undefined)).toBe(false);
});

test("a taken value is recognized by its column where the index is the primary key, and in a transaction", async () => {
  await db.siteSettings.create({ data: { title: "Feedback", siteUrl: "http://localhost" } });

  const error = await failure(db.$transaction((tx) => tx.siteSettings.create({ data: { title: "Feedback", siteUrl: "http://localhost" } })));

  expect(isDuplicate(error, "settingsId")).toBe(true);
});

describe("a transaction", () => {
  beforeEach(async () => {
    await db.$executeRawUnsafe(`ALTER TABLE "Board" DROP CONSTRAINT IF EXISTS "one_name"`);
  });

  test("fails if its commit does", async () => {
    await db.$executeRawUnsafe(`ALTER TABLE "Board" ADD CONSTRAINT "one_name" UNIQUE ("name", "isPrivate") DEFERRABLE INITIALLY DEFERRED`);

    const error = await failure(
      db.$transaction(async (tx) => {
        await tx.board.create({ data: board });
        await tx.board.create({ data: { ...board, url: "more-ideas" } });
      }),
    );

    expect(isDuplicate(error, "isPrivate")).toBe(true);
    expect(await db.board.count()).toBe(0);
  });

  test("fails if a statement in it had failed, even when nobody looked", async () => {
    const error = await failure(
      db.$transaction(async (tx) => {
        await tx.board.create({ data: board });
        await failure(tx.board.create({ data: board }));
      }),
    );

    expect(error).toMatchObject({ cause: { code: "25P02" } });
    expect(await db.board.count()).toBe(0);
  });

  test("that throws leaves nothing, and the next one works", async () => {
    const error = await failure(
      db.$transaction(async (tx) => {
        await tx.board.create({ data: board });
        throw new Error("changed my mind");
      }),
    );

    expect(error).toMatchObject({ message: "changed my mind" });
    expect(await db.board.count()).toBe(0);
    await db.$transaction((tx) => tx.board.create({ data: board }));
    expect(await db.board.count()).toBe(1);
  });

  test("has the isolation that it asks for", async () => {
    const level = await db.$transaction((tx) => tx.$queryRaw`SELECT current_setting('transaction_isolation') AS "level"`, { isolationLevel: "Serializable" });

    expect(level).toEqual([{ level: "serializable" }]);
  });

  test("that may only read is unavailable for writes", async () => {
    const error = await failure(
      db.$transaction(async (tx) => {
        await tx.$executeRaw`SET TRANSACTION READ ONLY`;
        await tx.board.create({ data: board });
      }),
    );

    expect(isUnavailable(error)).toBe(true);
  });

  test("that lasts too long is rolled back, gives its connection back and counts as unavailable", async () => {
    const error = await failure(
      db.$transaction(
        async (tx) => {
          await tx.board.create({ data: board });
          await new Promise((resolve) => setTimeout(resolve, 400));
          await tx.board.count();
        },
        { timeout: 200 },
      ),
    );

    expect(isUnavailable(error)).toBe(true);
    expect(await db.board.count()).toBe(0);
  });
});

describe.runIf(databaseKind() === "embedded")("the embedded database", () => {
  test("is unavailable to a transaction that had to wait too long for its one connection", async () => {
    const holder = db.$transaction(() => new Promise((resolve) => setTimeout(resolve, 500)));

    const error = await failure(db.$transaction((tx) => tx.board.count(), { maxWait: 100 }));

    await holder;
    expect(isUnavailable(error)).toBe(true);
    await pingDatabase();
  });

  test("is unavailable once it is closed under its users", async () => {
    const driver = await openDriver();
    if (driver.kind === "embedded") await driver.pglite.close();

    expect(isUnavailable(await failure(pingDatabase()))).toBe(true);
    await closeDatabase();
    await pingDatabase();
  });
});

describe.runIf(databaseKind() === "postgresql")("PostgreSQL", () => {
  const refusal = async (url: string) => (await startProgram("hold-database", { DATABASE_URL: url, DATA_DIR: "" }).ended).errors.trim();

  test("is unavailable when it ends a connection, and back at the next query", async () => {
    const inTransaction = await failure(
      db.$transaction(async (tx) => {
        const [backend] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS "pid"`;
        await db.$queryRaw`SELECT pg_terminate_backend(${backend?.pid}::int)`;
        await tx.board.count();
      }),
    );
    const alone = await failure(db.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`);

    expect(isUnavailable(inTransaction)).toBe(true);
    expect(isUnavailable(alone)).toBe(true);
    await pingDatabase();
  });

  test("is unavailable within about 2 s while every connection is taken", async () => {
    const sleepers = Array.from({ length: 10 }, () => db.$queryRaw`SELECT pg_sleep(3)::text`.then(() => "done"));
    const startedAt = Date.now();

    const [query, transaction] = await Promise.all([failure(db.board.count()), failure(db.$transaction((tx) => tx.board.count()))]);

    expect(Date.now() - startedAt).toBeLessThan(2700);
    expect([isUnavailable(query), isUnavailable(transaction)]).toEqual([true, true]);
    await Promise.all(sleepers);
  });

  test("is unavailable while it takes no connections, or its database is gone; a statement in the wrong place is another matter", async () => {
    const url = await createDatabase(process.env.TEST_DATABASE_URL ?? "", "ALLOW_CONNECTIONS false");
    const pool = createPool({ connectionString: url });
    onTestFinished(async () => {
      await pool.end();
      await dropDatabase(url);
    });
    const client = new PrismaClient({ adapter: new PostgresAdapter(pool) });
    const areUnavailable = async () =>
      (await Promise.all([failure(client.board.count()), failure(client.$queryRaw`SELECT 1`), failure(pool.query("SELECT 1"))])).map(isUnavailable);

    expect(await areUnavailable()).toEqual([true, true, true]);
    await dropDatabase(url);
    expect(await areUnavailable()).toEqual([true, true, true]);

    const misplaced = db.$transaction(async (tx) => {
      await tx.$executeRaw`CREATE TEMPORARY SEQUENCE "Unused" `;
      await tx.$queryRaw`SELECT currval('"Unused"')`;
    });
    const error = await failure(misplaced);
    expect(error).toMatchObject({ message: expect.stringContaining("55000") });
    expect(isUnavailable(error)).toBe(false);
  });

  test("cancels a statement after 5 s, which counts as unavailable", async () => {
    const error = await failure(db.$queryRaw`SELECT pg_sleep(10)::text`);

    expect(isUnavailable(error)).toBe(true);
  });

  test("that is not there or knows no such database is refused by a sentence", async () => {
    const server = new URL(process.env.TEST_DATABASE_URL ?? "");

    expect(await refusal("postgresql://heard:secret@127.0.0.1:1/heard")).toMatch(
      /^The PostgreSQL server at 127\.0\.0\.1:1 cannot be reached \(.*ECONNREFUSED.*\): check DATABASE_URL, and that the server is running\.$/,
    );
    server.pathname = "/heard_does_not_exist";
    expect(await refusal(server.href)).toMatch(/has no database "heard_does_not_exist": create it, or correct DATABASE_URL\.$/);
  });

  test("that is too old, or whose database cannot hold every script, is refused by a sentence", async () => {
    const url = await createDatabase(process.env.TEST_DATABASE_URL ?? "", "TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'");
    onTestFinished(() => dropDatabase(url));

    expect(await refusal(url)).toMatch(/^The PostgreSQL database is encoded in SQL_ASCII, .* create one with ENCODING 'UTF8' and point DATABASE_URL at it\.$/);
    // It says of itself that it is an older one, to whoever listens to its own words first.
    await runOn(
      url,
      `CREATE FUNCTION public.current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT CASE $1 WHEN 'server_version_num' THEN '140011' ELSE '14.11' END $$`,
    );
    const pool = new pg.Pool({ connectionString: url, options: "-c search_path=public,pg_catalog" });
    // It has ended before its connections have: the database that is dropped next may still say farewell to one.
    pool.on("error", () => {});
    const refused = await failure(checkServer(pool));
    await pool.end();
    expect(refused).toMatchObject({
      message: "The PostgreSQL server is version 14.11, and Heard needs 15 or newer: upgrade it, or point DATABASE_URL at another one.",
    });
  });

  test("acknowledges a commit when it is on disk: Heard leaves that switched on", async () => {
    const [settings] = await db.$queryRaw<[{ waits: string; syncs: string }]>`
      SELECT current_setting('synchronous_commit') AS "waits", current_setting('fsync') AS "syncs"`;

    const ok = settings.waits === "on";
    reportBar({
      bar: "D4",
      measure: "synchronous_commit of our connections; fsync of the server",
      figure: `${settings.waits}; ${settings.syncs}`,
      ok,
    });
    expect(settings.waits).toBe("on");
  });

  test("that is fit for Heard is accepted", async () => {
    await expect(openDatabase()).resolves.toBeUndefined();
  });
});

test.runIf(databaseKind() === "embedded")("tidying counts anew what the planner goes by, which nobody else does", async () => {
  const counted = () => db.$queryRaw<{ rows: number }[]>`SELECT reltuples::int AS "rows" FROM pg_class WHERE relname = 'Secret'`;
  await db.secret.createMany({ data: Array.from({ length: 50 }, (_, index) => ({ name: `secret-${index}`, value: "x" })) });

  await tidyDatabase();

  expect(await counted()).toEqual([{ rows: 50 }]);
});
