import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEmbedded } from "#lib/embedded";
import { listMigrations } from "#lib/migrate/history";
import { reportBar } from "#lib/testing/bars";
import { createDatabase, dropDatabase, runOn } from "#lib/testing/postgres";
import { type Program, startProgram } from "#lib/testing/processes";
import { scale } from "#lib/testing/scale";

const server = process.env.TEST_DATABASE_URL;
const directory = mkdtempSync(join(tmpdir(), "heard-migrate-"));
const databases: string[] = [];

beforeAll(async () => {
  if (!server) await (await openEmbedded(join(directory, "empty"))).close();
});

afterAll(
  async () => {
    rmSync(directory, { recursive: true });
    for (const url of databases) await dropDatabase(url);
  },
  scale(60_000, 600_000),
);

test("migrations that are killed at any moment are each applied whole or not at all, and the next start completes them", {
  timeout: scale(180_000, 1_800_000),
}, async () => {
  const rounds = scale(2, 50);
  const usualMs = await migrationMs(await emptyDatabase("whole"));
  let interrupted = 0;
  const half: object[] = [];
  // Those that come too late prove nothing, and are not counted.
  for (let round = 0; interrupted < rounds && round < 3 * rounds; round++) {
    const settings = await emptyDatabase(round);
    const program = start(settings);
    await program.says("applying");
    // The first as soon as it begins, and then one in each part of the time that it takes.
    if (round > 0) await sleep((((round % rounds) + Math.random()) / rounds) * usualMs);
    await program.kill();

    const { tables, records } = await inspect(settings);
    const missing = (await listMigrations()).length - records;
    if (missing > 0) interrupted++;

    const next = start(settings);
    const said = await next.says("open");
    if (tables !== (await tableCount(records)) || said !== `open ${missing}`) half.push({ tables, records, said });
    await next.kill();
    rmSync(settings.DATA_DIR, { recursive: true, force: true });
  }
  reportBar({
    bar: "D9",
    measure: `kills amid the migration that left half of it, of ${interrupted}`,
    figure: half.length,
    ok: half.length === 0 && interrupted === rounds,
  });
  expect(half).toEqual([]);
  expect(interrupted).toBe(rounds);
});

test.runIf(server)("of ten processes that start on an empty PostgreSQL exactly one migrates, and all are ready", { timeout: 90_000 }, async () => {
  const settings = await emptyDatabase("race");
  const startedAt = Date.now();
  const programs = Array.from({ length: 10 }, () => start(settings));

  const said = await Promise.all(programs.map(({ says }) => says("open")));

  await Promise.all(programs.map(({ kill }) => kill()));
  const { length: all } = await listMigrations();
  expect(said.toSorted()).toEqual([...Array(9).fill("open 0"), `open ${all}`]);
  expect(Date.now() - startedAt).toBeLessThan(60_000);
  expect(await inspect(settings)).toMatchObject({ records: all });
});

test("a database that holds somebody else's tables is migrated beside them", { timeout: 60_000 }, async () => {
  const settings = await emptyDatabase("shared");
  const theirs = 'CREATE TABLE "Theirs" ("id" INTEGER)';
  if (settings.DATABASE_URL) await runOn(settings.DATABASE_URL, theirs);
  else {
    const { pglite, close } = await openEmbedded(settings.DATA_DIR);
    await pglite.exec(theirs);
    await close();
  }
  const { length: all } = await listMigrations();
  const program = start(settings);

  expect(await program.says("open")).toBe(`open ${all}`);

  await program.kill();
  expect(await inspect(settings)).toEqual({ tables: (await tableCount(all)) + 1, records: all });
});

type Settings = { DATA_DIR: string; DATABASE_URL: string };

function start(settings: Settings): Program {
  return startProgram("hold-database", settings);
}

/** How long the migration takes on `settings`' database, from the word that it begins. */
async function migrationMs(settings: Settings): Promise<number> {
  const program = start(settings);
  await program.says("applying");
  const startedAt = Date.now();
  await program.says("open");
  await program.kill();
  return Date.now() - startedAt;
}

async function emptyDatabase(label: number | string): Promise<Settings> {
  const dataDir = join(directory, String(label));
  if (!server) {
    cpSync(join(directory, "empty"), dataDir, { recursive: true });
    return { DATA_DIR: dataDir, DATABASE_URL: "" };
  }
  const url = await createDatabase(server);
  databases.push(url);
  return { DATA_DIR: dataDir, DATABASE_URL: url };
}

/** How many of our tables there are, and how many migrations say that they are applied. */
async function inspect({ DATA_DIR, DATABASE_URL }: Settings): Promise<{ tables: number; records: number }> {
  const { query, close } = DATABASE_URL ? await connect(DATABASE_URL) : await open(DATA_DIR);
  const [tables] = await query(`SELECT count(*)::int AS "count" FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`);
  const [history] = await query(`SELECT count(*)::int AS "count" FROM pg_tables WHERE tablename = '_prisma_migrations'`);
  const [records] = history?.count ? await query(`SELECT count(*)::int AS "count" FROM "_prisma_migrations"`) : [{ count: 0 }];
  await close();
  return { tables: tables?.count ?? 0, records: records?.count ?? 0 };
}

async function open(dataDir: string) {
  const { pglite, close } = await openEmbedded(dataDir);
  return { query: async (sql: string) => (await pglite.query<{ count: number }>(sql)).rows, close };
}

async function connect(connectionString: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return { query: async (sql: string) => (await client.query<{ count: number }>(sql)).rows, close: () => client.end() };
}

/** How many tables the first so many migrations make. */
async function tableCount(migrations: number): Promise<number> {
  const statements = (await listMigrations()).slice(0, migrations).map(({ sql }) => sql.match(/^CREATE TABLE/gm)?.length ?? 0);
  return statements.reduce((sum, count) => sum + count, 0);
}
