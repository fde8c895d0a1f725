import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { databaseKind, db, isDenied, openDriver } from "#lib/db";
import { env } from "#lib/env";
import { type MigrationProgress, migrate } from "#lib/migrate";
import { listMigrations, pendingMigrations } from "#lib/migrate/history";
import { applyWithEngine, diffToSchema } from "#lib/migrate/schema-engine";
import { useDatabase } from "#lib/testing/database";

useDatabase();

const NEXT = "20990101000000_next";

/** More than one statement, and one with semicolons of its own: what applies it must not cut it up. */
const NEXT_SQL = `
CREATE TABLE "Next" ("id" INTEGER PRIMARY KEY);
CREATE FUNCTION next_one() RETURNS integer LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; RETURN 1; END $$;`;

/** Makes this process one of a later version, which brings one more migration. */
async function release(sql: string, name = NEXT): Promise<void> {
  const checksum = createHash("sha256").update(sql).digest("hex");
  globalThis.heardMigrations = Promise.resolve([...(await listMigrations()), { name, sql, checksum }]);
}

afterEach(async () => {
  globalThis.heardMigrations = undefined;
  await db.$executeRawUnsafe(`DROP TRIGGER IF EXISTS refuse ON "_prisma_migrations"`);
  await db.$executeRawUnsafe(`DROP TABLE IF EXISTS "Next"`);
  await db.$executeRawUnsafe(`DROP FUNCTION IF EXISTS next_one`);
  await db.$executeRawUnsafe(`DELETE FROM "_prisma_migrations" WHERE "migration_name" LIKE '2099%'`);
});

test("the migrations make exactly the schema", async () => {
  const { adapter } = await openDriver();

  expect(await diffToSchema(adapter)).toBe("");
});

test("the engine leaves no timer behind that would keep a finished command alive", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
  const { adapter } = await openDriver();
  const before = timers();

  await applyWithEngine(adapter, await listMigrations());

  expect(timers()).toBeLessThanOrEqual(before);
});

test("every text has a length that it may not go beyond", () => {
  const texts = readFileSync("prisma/schema.prisma", "utf8")
    .split("\n")
    .filter((line) => /^ {2}\w+ +String\b/.test(line));

  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter((line) => !/@db\.(Uuid|VarChar\(\d+\)|Char\(\d+\))/.test(line))).toEqual([]);
});

test("what is pending is named, applied once and recorded", async () => {
  await release(NEXT_SQL);
  const steps: MigrationProgress[] = [];

  expect(await pendingMigrations()).toEqual([NEXT]);
  expect(await migrate({ onProgress: (progress) => steps.push(progress) })).toEqual([NEXT]);

  expect(await pendingMigrations()).toEqual([]);
  expect(await migrate()).toEqual([]);
  expect(await db.$queryRaw`SELECT next_one() AS "one"`).toEqual([{ one: 1 }]);
  expect(steps.at(-1)).toEqual({ step: "applying", name: NEXT, index: 0, total: 1 });
  const records =
    await db.$queryRaw`SELECT "checksum", "applied_steps_count" AS "steps", "finished_at" IS NOT NULL AS "finished" FROM "_prisma_migrations" WHERE "migration_name" = ${NEXT}`;
  expect(records).toEqual([{ checksum: createHash("sha256").update(NEXT_SQL).digest("hex"), steps: 1, finished: true }]);
});

test.runIf(databaseKind() === "embedded")("the embedded database is copied before it is changed", async () => {
  await release(NEXT_SQL);
  const backups = join(env().DATA_DIR, "backups");
  const before = existsSync(backups) ? readdirSync(backups).length : 0;

  await migrate();

  const copies = readdirSync(backups);
  expect(copies).toHaveLength(before + 1);
  expect(copies.at(-1)).toMatch(new RegExp(`^before-${NEXT}-\\d{4}-`));
});

test("a migration that fails leaves nothing behind and says why", async () => {
  await release(`CREATE TABLE "Next" ("id" INTEGER PRIMARY KEY); INSERT INTO "Missing" VALUES (1);`);

  await expect(migrate()).rejects.toMatchObject({
    code: "STARTUP_ERROR",
    message: expect.stringMatching(/^The migration 20990101000000_next failed, and nothing of it was kept: relation "Missing" does not exist/),
  });
  await expect(migrate()).rejects.toThrow(/ a version of Heard whose newest migration is (?!2099)\d{14}_\w+ still runs on this database\.$/);

  expect(await db.$queryRaw`SELECT to_regclass('"Next"')::text AS "table"`).toEqual([{ table: null }]);
  expect(await pendingMigrations()).toEqual([NEXT]);
});

test("D9: a migration that was applied and cannot be noted as such leaves nothing behind", async () => {
  // Its function may only be called for each row: this trigger, for each statement, always fails.
  await release(`${NEXT_SQL} CREATE TRIGGER refuse BEFORE UPDATE ON "_prisma_migrations" EXECUTE FUNCTION suppress_redundant_updates_trigger()`);

  await expect(migrate()).rejects.toThrow(/^The migration 20990101000000_next failed, and nothing of it was kept: .*must be called for each row/);

  expect(await db.$queryRaw`SELECT to_regclass('"Next"')::text AS "table"`).toEqual([{ table: null }]);
  expect(await pendingMigrations()).toEqual([NEXT]);
});

test("where migrations before the one that fails were applied, only a version that knows them is said to run, however often it is tried", async () => {
  await release(NEXT_SQL);
  await release(`INSERT INTO "Missing" VALUES (1);`, "20990102000000_failing");

  const says = new RegExp(`^The migration 20990102000000_failing failed, .+ a version of Heard whose newest migration is ${NEXT} still runs`);
  await expect(migrate()).rejects.toThrow(says);
  await expect(migrate()).rejects.toThrow(says);

  expect(await pendingMigrations()).toEqual(["20990102000000_failing"]);
});

test("a right that is lacking is told of as such, for whoever starts to be told which", async () => {
  await release(`SET LOCAL ROLE pg_read_all_data; CREATE TABLE "Next" ("id" INTEGER PRIMARY KEY)`);

  expect(isDenied(await migrate().catch((error: unknown) => error))).toBe(true);
  expect(await pendingMigrations()).toEqual([NEXT]);
});

test("a connection that is lost amid a migration is told of in its own words", async () => {
  await release(NEXT_SQL);
  const { adapter } = await openDriver();
  const lost = async () => {
    throw new Error("Connection terminated unexpectedly");
  };
  const losing = Object.assign(Object.create(adapter), { connect: async () => Object.assign(await adapter.connect(), { executeRaw: lost }) });

  await expect(applyWithEngine(losing, await listMigrations())).rejects.toThrow("Connection terminated unexpectedly");
});

test("a database that a newer version has migrated is refused", async () => {
  await release(NEXT_SQL);
  await migrate();
  globalThis.heardMigrations = undefined;

  await expect(migrate()).rejects.toThrow(`used by a newer Heard (it holds the migration ${NEXT}): start that version`);
});

test("a migration that was changed after it was applied is refused", async () => {
  await release(NEXT_SQL);
  await migrate();
  globalThis.heardMigrations = undefined;
  await release(`${NEXT_SQL} -- and more`);

  await expect(migrate()).rejects.toThrow(`${NEXT} was changed after this database had applied it`);
});

test("a migration that another tool left unfinished is refused", async () => {
  await release(NEXT_SQL);
  await db.$executeRaw`INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name") VALUES ('1', 'unknown', ${NEXT})`;

  await expect(migrate()).rejects.toThrow(`${NEXT} was begun by another tool and did not finish`);
});
