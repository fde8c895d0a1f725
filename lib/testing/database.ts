import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, inject } from "vitest";
import { closeDatabase, db } from "#lib/db";
import { runOn } from "./template.ts";

/**
 * Gives the test file that calls it a migrated database of its own, empty before each test, on the engine that
 * TEST_DATABASE_URL chooses. Code under test reaches it as it always does, through `#lib/db`.
 */
export function useDatabase(): void {
  beforeAll(createDatabase);
  beforeEach(resetDatabase);
  afterAll(dropDatabase);
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

async function createDatabase(): Promise<void> {
  const template = inject("databaseTemplate");
  const { server, database } = location();
  if (server) await runOn(server, `CREATE DATABASE "${database}" TEMPLATE "${template}"`);
  else await cp(template, join(process.env.DATA_DIR ?? "", "db"), { recursive: true });
}

async function dropDatabase(): Promise<void> {
  await closeDatabase();
  const { server, database } = location();
  if (server) await runOn(server, `DROP DATABASE "${database}" WITH (FORCE)`);
}

function location(): { server?: string; database: string } {
  return { server: process.env.TEST_DATABASE_URL, database: new URL(process.env.DATABASE_URL || "postgresql:///").pathname.slice(1) };
}
