import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, inject } from "vitest";
import { closeDatabase, db } from "#lib/db";
import { databaseIn, dropDatabase, runOn } from "./postgres.ts";

/**
 * Gives the test file that calls it a migrated database of its own, empty before each test, on the engine that
 * TEST_DATABASE_URL chooses. Code under test reaches it as it always does, through `#lib/db`.
 */
export function useDatabase(): void {
  beforeAll(makeOwn);
  beforeEach(resetDatabase);
  afterAll(dropOwn);
}

/** Deletes every row, also of jobs, and leaves the migrations. */
export async function resetDatabase(): Promise<void> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS "name" FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' OR schemaname = 'pgboss' AND tablename = 'job'`;
  // Tests leave few rows, and deleting those is many times faster than TRUNCATE, which makes new files for every table.
  const deletions = tables.map(({ name }) => `DELETE FROM ${name};`).join(" ");
  await db.$executeRawUnsafe(`DO $$ BEGIN ${deletions} END $$`);
}

async function makeOwn(): Promise<void> {
  const template = inject("databaseTemplate");
  const { TEST_DATABASE_URL: server, DATABASE_URL: url = "", DATA_DIR = "" } = process.env;
  if (server) await runOn(server, `CREATE DATABASE "${databaseIn(url)}" TEMPLATE "${template}"`);
  else await cp(template, join(DATA_DIR, "db"), { recursive: true });
}

async function dropOwn(): Promise<void> {
  await closeDatabase();
  if (process.env.DATABASE_URL) await dropDatabase(process.env.DATABASE_URL);
}
