import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Execute, openConnection } from "./db/connection.ts";
import { type Driver, openDriver } from "./db.ts";
import { StartupError } from "./startup-error.ts";

const MIGRATIONS = "prisma/migrations";

/** The advisory lock that Prisma's own tools take, so that they and we exclude each other (schema-engine's `acquire_lock`). */
const MIGRATION_LOCK = 72707369;

/** As Prisma's tools make and read it (schema-engine's `create_migrations_table`). */
const CREATE_MIGRATIONS_TABLE = `
CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum" VARCHAR(64) NOT NULL,
    "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL,
    "logs" TEXT,
    "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

const RECORD_MIGRATION = `
INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`;

const UNDEFINED_TABLE = "42P01";

type Migration = { name: string; sql: string; checksum: string };
type Applied = { name: string; checksum: string; isFinished: boolean };

/** What `migrate` is doing; `index` counts from 0. */
export type MigrationProgress = { step: "waiting" } | { step: "copying"; to: string } | { step: "applying"; name: string; index: number; total: number };

declare global {
  /** Read once per process, for what is on disk may already be the next version's while this one still runs. */
  var heardMigrations: Promise<Migration[]> | undefined;
}

/** The names of the migrations that the database still lacks, in their order. Cheap enough for every readiness probe. */
export async function pendingMigrations(): Promise<string[]> {
  const driver = await openDriver();
  const pending = await findPending(directExecute(driver));
  return pending.map((migration) => migration.name);
}

type MigrateOptions = {
  /** The database; without it this process's own. */
  driver?: Driver;
  /** The last migration to apply; without it all are. */
  upTo?: string;
  onProgress?: (progress: MigrationProgress) => void;
};

/**
 * Brings the database to this version and returns the names of what it applied. Each migration and its record are one transaction,
 * so that a crash leaves all of it or nothing. Of several processes at once one migrates; the others wait and find nothing to do.
 * An embedded database that holds anything is copied to `backups/` first.
 * @throws StartupError if a migration fails, or the database has been changed by another version
 */
export async function migrate({ driver: given, upTo, onProgress = () => {} }: MigrateOptions = {}): Promise<string[]> {
  const driver = given ?? (await openDriver());
  if ((await findPending(directExecute(driver), upTo)).length === 0) return [];
  const connection = await openConnection(driver);
  try {
    await takeLock(connection.execute, onProgress);
    const pending = await findPending(connection.execute, upTo);
    const first = pending[0];
    if (!first) return [];
    await copyFirst(driver, connection.execute, first, onProgress);
    await connection.execute(CREATE_MIGRATIONS_TABLE);
    for (const [index, migration] of pending.entries()) {
      onProgress({ step: "applying", name: migration.name, index, total: pending.length });
      await apply(migration, connection.transaction);
    }
    return pending.map((migration) => migration.name);
  } finally {
    await connection.close();
  }
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

/** Keeps others from migrating until the connection behind `execute` closes. Waits for a migration that runs. */
export async function holdMigrations(execute: Execute): Promise<void> {
  await execute(`SELECT pg_advisory_lock_shared(${MIGRATION_LOCK})`);
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

function directExecute(driver: Driver): Execute {
  return async <Row>(sql: string, values?: unknown[]) => {
    const result = driver.kind === "embedded" ? await driver.pglite.query<Row>(sql, values) : await driver.pool.query(sql, values);
    return result.rows as Row[];
  };
}

async function findPending(execute: Execute, upTo?: string): Promise<Migration[]> {
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
  const done = new Set(applied.map(({ name }) => name));
  return known.filter(({ name }) => !done.has(name) && (upTo === undefined || name <= upTo));
}

async function listApplied(execute: Execute): Promise<Applied[]> {
  try {
    return await execute<Applied>(
      `SELECT "migration_name" AS "name", "checksum", "finished_at" IS NOT NULL AS "isFinished" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`,
    );
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
    throw error;
  }
}

/** Held until the session closes. The embedded database has no other session, and is always free. */
async function takeLock(execute: Execute, onProgress: (progress: MigrationProgress) => void): Promise<void> {
  const [attempt] = await execute<{ isMine: boolean }>(`SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS "isMine"`);
  if (attempt?.isMine) return;
  onProgress({ step: "waiting" });
  await execute(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
}

async function copyFirst(driver: Driver, execute: Execute, first: Migration, onProgress: (progress: MigrationProgress) => void): Promise<void> {
  if (driver.kind !== "embedded" || (await listApplied(execute)).length === 0) return;
  const name = `before-${first.name}-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
  onProgress({ step: "copying", to: name });
  try {
    await driver.copyTo(name);
  } catch (error) {
    throw new StartupError(
      `The database could not be copied before its migration (${(error as Error).message}): make room in the data directory and start again. Nothing was changed.`,
      { cause: error },
    );
  }
}

async function apply({ name, sql, checksum }: Migration, transaction: (work: (execute: Execute) => Promise<void>) => Promise<void>): Promise<void> {
  try {
    await transaction(async (execute) => {
      await execute(sql);
      await execute(RECORD_MIGRATION, [crypto.randomUUID(), checksum, name]);
    });
  } catch (error) {
    throw new StartupError(
      `The migration ${name} failed, and nothing of it was kept: ${(error as Error).message}. Until that is mended, the former version of Heard still runs on this database.`,
      { cause: error },
    );
  }
}
