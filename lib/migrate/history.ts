import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Execute } from "../db/connection.ts";
import { type Driver, openDriver } from "../db.ts";
import { StartupError } from "../startup-error.ts";

const MIGRATIONS = "prisma/migrations";

const UNDEFINED_TABLE = "42P01";

/** `sql` is the file's text; `checksum` the SHA-256 of it in hexadecimal digits, as Prisma's tools record it. */
export type Migration = { name: string; sql: string; checksum: string };
type Applied = { name: string; checksum: string; isFinished: boolean };

declare global {
  /** Read once per process, for what is on disk may already be the next version's while this one still runs. */
  var heardMigrations: Promise<Migration[]> | undefined;
}

/**
 * The names of the migrations that the database still lacks, in their order. What a newer version has done to it is no hindrance to one that runs already.
 * Cheap enough for every readiness probe.
 */
export async function pendingMigrations(): Promise<string[]> {
  const driver = await openDriver();
  const [known, applied] = await Promise.all([listMigrations(), listApplied(directExecute(driver))]);
  return lacking(known, applied).map(({ name }) => name);
}

/** The last migration that the database behind `execute` has, null on one that has none. */
export async function lastMigration(execute: Execute): Promise<string | null> {
  return (
    (await listApplied(execute))
      .map(({ name }) => name)
      .sort()
      .at(-1) ?? null
  );
}

/** Every migration of this version, oldest first. */
export function listMigrations(): Promise<Migration[]> {
  globalThis.heardMigrations ??= readMigrations();
  return globalThis.heardMigrations;
}

async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(MIGRATIONS, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/**
 * The migrations that the database behind `execute` still lacks, up to `upTo` where that is given.
 * @throws StartupError if another version has changed the database, or another tool begun to
 */
export async function findPending(execute: Execute, upTo?: string): Promise<Migration[]> {
  const [known, applied] = await Promise.all([listMigrations(), listApplied(execute)]);
  for (const { name, checksum, isFinished } of applied) {
    const migration = known.find((candidate) => candidate.name === name);
    if (!migration)
      throw new StartupError(`The database was used by a newer Heard (it holds the migration ${name}): start that version, or restore a copy from before it.`);
    if (!isFinished)
      throw new StartupError(
        `The migration ${name} was begun by another tool and did not finish: restore a copy from before it, or settle it with "prisma migrate resolve".`,
      );
    if (migration.checksum !== checksum)
      throw new StartupError(`The migration ${name} was changed after this database had applied it: put prisma/migrations back as it was released.`);
  }
  return lacking(known, applied).filter(({ name }) => upTo === undefined || name <= upTo);
}

function lacking(known: Migration[], applied: Applied[]): Migration[] {
  const done = new Set(applied.filter(({ isFinished }) => isFinished).map(({ name }) => name));
  return known.filter(({ name }) => !done.has(name));
}

/** Runs SQL on any connection of `driver`. */
export function directExecute(driver: Driver): Execute {
  return async <Row>(sql: string, values?: unknown[]) => {
    const result = driver.kind === "embedded" ? await driver.pglite.query<Row>(sql, values) : await driver.pool.query(sql, values);
    return result.rows as Row[];
  };
}

/** What the database says it has, by the table that Prisma's tools keep of it. */
export async function listApplied(execute: Execute): Promise<Applied[]> {
  try {
    return await execute<Applied>(
      `SELECT "migration_name" AS "name", "checksum", "finished_at" IS NOT NULL AS "isFinished" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`,
    );
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
    throw error;
  }
}
