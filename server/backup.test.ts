import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Driver, databaseKind, db, openDriver } from "#lib/db";
import { openConnection } from "#lib/db/connection";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { scale } from "#lib/testing/scale";
import { Prisma } from "#prisma/generated/client";
import { checkBackup, readParts, writeBackup } from "./backup/file.ts";
import { fillDatabase } from "./backup/load.ts";
import { readSite } from "./backup/source.ts";
import { LEFT_OUT, listTables, type Table } from "./backup/tables.ts";
import { backUp, restoreBackup } from "./backup.ts";
import { findDrift } from "./counters.ts";
import { aSite } from "./testing/people.ts";
import { aFullSite, anEmptyPlace, type Place } from "./testing/sites.ts";

useDatabase();

const KINDS: Driver["kind"][] = process.env.TEST_DATABASE_URL ? ["embedded", "postgresql"] : ["embedded"];
const TIMEOUT = { timeout: scale(90_000, 1_800_000) };
const silent = () => {};

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "heard-backups-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

function newFile(): string {
  return join(directory, `${crypto.randomUUID()}.jsonl.gz`);
}

async function place(kind: Driver["kind"]): Promise<Place> {
  const empty = await anEmptyPlace(kind);
  onTestFinished(empty.remove);
  return empty;
}

async function backUpOf(driver: Driver): Promise<string> {
  const path = newFile();
  await readSite(driver, silent, (header, parts) => writeBackup(path, header, parts));
  return path;
}

async function restoreTo(driver: Driver, path: string): Promise<void> {
  await fillDatabase(driver, await checkBackup(path), readParts(path));
}

function linesOf(path: string): string[] {
  return gunzipSync(readFileSync(path)).toString("utf8").split("\n").slice(0, -1);
}

test("every table of the schema is in a backup, save those that are left out on purpose", async () => {
  const tables = (await listOwnTables()).map(({ name }) => name);

  // Whoever leaves out another one says so here as well.
  expect(Object.keys(LEFT_OUT)).toEqual(["_prisma_migrations", "RateLimit"]);
  expect(tables.toSorted()).toEqual(
    Object.keys(Prisma.ModelName)
      .filter((name) => !(name in LEFT_OUT))
      .toSorted(),
  );
  const stored = await db.$queryRaw<{ name: string }[]>`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`;
  expect(stored.map(({ name }) => name).toSorted()).toEqual([...tables, ...Object.keys(LEFT_OUT)].toSorted());
});

test("each table comes behind those that it refers to, with all of its columns", async () => {
  const tables = await listOwnTables();

  for (const [index, { refersTo }] of tables.entries())
    for (const parent of refersTo) expect(tables.slice(0, index + 1).map(({ name }) => name)).toContain(parent);
  const stored = await db.$queryRaw<{ columns: bigint }[]>`
    SELECT count(*) AS columns FROM information_schema.columns WHERE table_schema = 'public' AND NOT table_name = ANY (${Object.keys(LEFT_OUT)})`;
  expect(tables.flatMap(({ columns }) => columns)).toHaveLength(Number(stored[0]?.columns));
});

test("nothing is stored that rows do not hold: no sequence counts on beside them", async () => {
  expect(await db.$queryRaw`SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace`).toEqual([]);
});

test("D11: what is restored and backed up again is the same file, from each database into each", TIMEOUT, async () => {
  await aFullSite({ posts: scale(300, 20_000) });
  const first = newFile();
  await backUp(first, silent);
  const sources = [await openDriver()];
  for (const kind of KINDS.filter((other) => other !== databaseKind())) {
    const { driver } = await place(kind);
    await restoreTo(driver, first);
    sources.push(driver);
  }

  for (const source of sources) {
    for (const kind of KINDS) {
      const target = await place(kind);
      await restoreTo(target.driver, await backUpOf(source));
      const isEqual = readFileSync(await backUpOf(target.driver)).equals(readFileSync(first));
      const measure = `${(await checkBackup(first)).rowCount} rows, ${source.kind} → ${kind} → file: the same bytes`;
      reportBar({ bar: "D11", measure, figure: isEqual ? "equal" : "different", ok: isEqual });
      expect(isEqual).toBe(true);
    }
  }
  // Two that lack the same are the same, too.
  const rows = Object.entries(JSON.parse(linesOf(first).at(-1) ?? "").rows);
  const stored = await Promise.all(rows.map(async ([table]) => [table, Number(await countRowsOf(table))]));
  expect(rows).toEqual(stored);
  for (const [table, count] of rows) expect([table, count]).not.toEqual([table, 0]);
});

async function countRowsOf(table: string): Promise<bigint | undefined> {
  const [counted] = await db.$queryRawUnsafe<{ count: bigint }[]>(`SELECT count(*) FROM "${table}"`);
  return counted?.count;
}

test("a backup is readable by this user alone, and is made under another name", async () => {
  await aSite();
  const path = join(directory, "new folder", "heard.jsonl.gz");

  expect((await backUp(path, silent)).path).toBe(path);

  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, "new folder")).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(directory, "new folder"))).toEqual(["heard.jsonl.gz"]);
});

test("a backup without a name gets one from the clock", async () => {
  await aSite();

  const { path } = await backUp(undefined, silent);

  expect(path).toMatch(/\/backups\/heard-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.jsonl\.gz$/);
  expect((await checkBackup(path)).rowCount).toBe(1);
});

describe("a backup is not made", () => {
  test("over a file that exists", async () => {
    await aSite();
    const path = newFile();
    writeFileSync(path, "precious");

    await expect(backUp(path, silent)).rejects.toThrow(`There is a file ${path} already: move it away`);

    expect(readFileSync(path, "utf8")).toBe("precious");
  });

  test("of a site that nobody has set up", async () => {
    await expect(backUp(newFile(), silent)).rejects.toThrow("nobody has set this site up. Check DATA_DIR and DATABASE_URL");
  });

  test("where nobody can write", async () => {
    await aSite();
    const folder = mkdtempSync(join(directory, "file-"));
    writeFileSync(join(folder, "file"), "");

    await expect(backUp(join(folder, "file", "heard.jsonl.gz"), silent)).rejects.toThrow(/^The backup cannot be written to .*: make room there, or choose/);
  });

  test("by halves: what fails on the way leaves no file", async () => {
    await aFullSite();
    const folder = join(directory, "halves");
    const failing = async () => {
      const driver = await openDriver();
      await readSite(driver, silent, (header, parts) =>
        writeBackup(
          join(folder, "heard.jsonl.gz"),
          header,
          (async function* () {
            for await (const part of parts) {
              yield part;
              if (part.table === "User") throw new Error("broken");
            }
          })(),
        ),
      );
    };

    await expect(failing()).rejects.toThrow("broken");

    expect(readdirSync(folder)).toEqual([]);
  });
});

test("a restored site is as it was, also where its server had already made a secret of its own, and how far it is, is told by both", async () => {
  await aFullSite();
  const path = newFile();
  const told: [number, number][] = [];
  await backUp(path, (...progress) => told.push(progress));
  const { rowCount } = await checkBackup(path);
  expect(told.at(-1)).toEqual([rowCount, rowCount]);
  const before = await readAll();
  await deleteEverything();
  await db.secret.create({ data: { name: "made by itself", value: "x" } });

  expect(await restoreBackup(path, (...progress) => told.push(progress))).toBe(rowCount);

  expect(await readAll()).toEqual(before);
  expect(await findDrift()).toEqual([]);
  expect(told.at(-1)).toEqual([rowCount, rowCount]);
});

/** What Prisma reads of the tables with something hard to carry. */
async function readAll() {
  return {
    users: await db.user.findMany({ orderBy: { userId: "asc" } }),
    mails: await db.mail.findMany({ orderBy: { mailId: "asc" } }),
    images: await db.image.findMany({ orderBy: { imageId: "asc" } }),
    secrets: (await db.secret.findMany()).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

async function deleteEverything(): Promise<void> {
  for (const name of ["SiteSettings", "Mail", "Post", "Board", "User", "Image", "Secret"]) await db.$executeRawUnsafe(`DELETE FROM "${name}"`);
}

async function listOwnTables(): Promise<Table[]> {
  const { execute, close } = await openConnection(await openDriver());
  return listTables(execute).finally(close);
}
