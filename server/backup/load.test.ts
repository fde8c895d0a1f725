import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { type Driver, databaseKind, db, openDriver } from "#lib/db";
import { openConnection } from "#lib/db/connection";
import { migrate } from "#lib/migrate";
import { listMigrations } from "#lib/migrate/history";
import { useDatabase } from "#lib/testing/database";
import { aFullSite, anEmptyPlace } from "../testing/sites.ts";
import type { BackupHeader } from "./file.ts";
import { fillDatabase, refuseNewer } from "./load.ts";
import { readSite } from "./source.ts";
import type { Part } from "./tables.ts";

useDatabase();

const TIMEOUT = { timeout: 60_000 };
const NEXT = { name: "20990101000000_next", sql: `ALTER TABLE "Secret" ADD COLUMN "note" TEXT NOT NULL DEFAULT 'new'` };

type Copy = { header: BackupHeader; parts: Part[] };

/** A small site, read. */
async function aCopy(driver?: Driver): Promise<Copy> {
  const parts: Part[] = [];
  const header = await readSite(
    driver ?? (await openDriver()),
    () => {},
    async (given, reading) => {
      for await (const part of reading) parts.push(part);
      return given;
    },
  );
  return { header, parts };
}

async function* changed(parts: Part[], change: (part: Part) => Part): AsyncGenerator<Part> {
  yield* parts.map(change);
}

function fill(driver: Driver, { header, parts }: Copy, change = (part: Part) => part): Promise<void> {
  return fillDatabase(driver, header, changed(parts, change));
}

async function aPlace(): Promise<Driver> {
  const { driver, remove } = await anEmptyPlace(databaseKind());
  onTestFinished(remove);
  return driver;
}

/** Makes this process one of a later version until the test ends. */
async function release(): Promise<void> {
  const checksum = createHash("sha256").update(NEXT.sql).digest("hex");
  globalThis.heardMigrations = Promise.resolve([...(await listMigrations()), { ...NEXT, checksum }]);
  onTestFinished(() => {
    globalThis.heardMigrations = undefined;
  });
}

async function query<Row>(driver: Driver, sql: string): Promise<Row[]> {
  const { execute, close } = await openConnection(driver);
  return execute<Row>(sql).finally(close);
}

test("rows that do not fit or refer to nothing, and a failure on the way, leave the place empty and ready for another attempt", TIMEOUT, async () => {
  await aFullSite({ posts: 5 });
  const copy = await aCopy();
  const place = await aPlace();
  const inTable = (table: string, change: (part: Part) => Part) => (part: Part) => (part.table === table ? change(part) : part);
  const withoutRows = (part: Part) => ({ ...part, rows: [] });
  const failing = async function* () {
    yield* copy.parts.slice(0, -1);
    throw new Error("the disk is gone");
  };

  await expect(
    fill(
      place,
      copy,
      inTable("Board", (part) => ({ ...part, table: "Boards" })),
    ),
  ).rejects.toThrow('table "Boards" is not as this database has it');
  await expect(
    fill(
      place,
      copy,
      inTable("Board", (part) => ({ ...part, columns: part.columns.toReversed() })),
    ),
  ).rejects.toThrow('table "Board" is not as this');
  await expect(
    fill(
      place,
      copy,
      inTable("User", (part) => ({ ...part, rows: part.rows.map((row) => row.map((value) => (value === "OWNER" ? "KING" : value))) })),
    ),
  ).rejects.toThrow("KING");
  await expect(
    fill(
      place,
      copy,
      inTable("User", (part) => ({ ...part, rows: part.rows.map((row) => row.map((value) => (value === "Zoë" ? "Z".repeat(61) : value))) })),
    ),
  ).rejects.toThrow("too long");
  await expect(fill(place, copy, inTable("User", withoutRows))).rejects.toThrow("foreign key");
  await expect(fillDatabase(place, copy.header, failing())).rejects.toThrow("the disk is gone");

  expect(await query(place, `SELECT 1 AS one FROM "SiteSettings" UNION ALL SELECT 1 FROM "User"`)).toEqual([]);
  await fill(place, copy);
  expect(await aCopy(place)).toEqual(copy);
});

test("what refers to what is as before, and so are the indexes", TIMEOUT, async () => {
  await aFullSite({ posts: 5 });
  const place = await aPlace();
  await fill(place, await aCopy());
  const constraints = `
    SELECT conrelid::regclass::text AS "table", conname::text AS "name", pg_get_constraintdef(oid) AS "definition", convalidated AS "isValid"
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY conname, conrelid::regclass::text COLLATE "C"`;
  const indexes = `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname`;

  expect(await query(place, constraints)).toEqual(await query(await openDriver(), constraints));
  expect(await query(place, indexes)).toEqual(await query(await openDriver(), indexes));
});

test("a site that somebody has set up, or uses, is not filled", async () => {
  await aFullSite({ posts: 5 });
  const copy = await aCopy();
  const before = await db.post.count();

  await expect(fill(await openDriver(), copy)).rejects.toThrow(
    /^There is a site already .* choose another DATA_DIR, or an empty database\. Nothing was changed\.$/,
  );

  expect(await db.post.count()).toBe(before);
  await db.siteSettings.deleteMany();
  await expect(fill(await openDriver(), copy)).rejects.toThrow("There is a site already");
});

test.runIf(databaseKind() === "postgresql")("of two restores at once into one database, one wins, and it is whole", TIMEOUT, async () => {
  await aFullSite({ posts: 5 });
  const copy = await aCopy();
  const place = await aPlace();

  const results = await Promise.allSettled([fill(place, copy), fill(place, copy)]);

  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const [refusal] = results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));
  expect(refusal).toContain("There is a site already");
  expect(await aCopy(place)).toEqual(copy);
});

test.runIf(databaseKind() === "postgresql")("a server that shows instants and bytes in its own way changes nothing", TIMEOUT, async () => {
  await aFullSite({ posts: 5 });
  const copy = await aCopy();
  const place = await aPlace();
  for (const setting of ["datestyle TO 'German'", "bytea_output TO 'escape'", "timezone TO 'Asia/Kolkata'"])
    await query(place, `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting.replaceAll("'", "''")}', current_database()); END $$`);

  await fill(place, copy);

  expect(await aCopy(place)).toEqual(copy);
});

test("an older backup is filled in as it was, and migrated then", TIMEOUT, async () => {
  await aFullSite({ posts: 5 });
  const copy = await aCopy();
  await release();
  const place = await aPlace();

  await fill(place, copy);

  expect(await query(place, `SELECT DISTINCT "note" FROM "Secret"`)).toEqual([{ note: "new" }]);
  expect(await migrate({ driver: place })).toEqual([]);
  expect((await aCopy(place)).header.migration).toBe(NEXT.name);
});

test("a place that a site of an older version uses is refused a newer backup, and not migrated", TIMEOUT, async () => {
  await aFullSite({ posts: 5 });
  const copy = await aCopy();
  const place = await aPlace();
  await fill(place, copy);
  await release();
  const newer = { ...copy, header: { ...copy.header, migration: NEXT.name } };

  await expect(fill(place, newer)).rejects.toThrow("There is a site already");

  expect(await aCopy(place)).toEqual(copy);
});

test("a site that is still to be migrated is copied as it is", async () => {
  await aFullSite({ posts: 5 });
  const before = await aCopy();
  await release();

  expect(await aCopy()).toEqual(before);
});

test("a newer Heard's copy is refused, and so is a place that a newer one has made ready", TIMEOUT, async () => {
  await aFullSite({ posts: 5 });
  const copy = await aCopy();
  const place = await aPlace();

  await expect(refuseNewer({ version: "9.0.0", migration: NEXT.name })).rejects.toThrow(
    `The backup was made by a newer Heard (9.0.0, with the migration ${NEXT.name})`,
  );
  await release();
  await migrate({ driver: place });
  await expect(fill(place, copy)).rejects.toThrow(`made ready by a newer Heard (${NEXT.name}) than the backup's`);
  globalThis.heardMigrations = undefined;
  await expect(fill(place, copy)).rejects.toThrow("newer Heard");
});
