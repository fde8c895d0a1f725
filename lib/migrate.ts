import type { DriverAdapterError } from "@prisma/driver-adapter-utils";
import { type Connection, type Execute, openConnection } from "./db/connection.ts";
import { type Driver, isDenied, openDriver } from "./db.ts";
import { directExecute, findPending, listApplied, listMigrations, type Migration } from "./migrate/history.ts";
import { applyWithEngine } from "./migrate/schema-engine.ts";
import { StartupError } from "./startup-error.ts";

/** The advisory lock that Prisma's own tools take, so that they and we exclude each other (schema-engine's `acquire_lock`). */
const MIGRATION_LOCK = 72707369;

/** As Prisma's tools make and read it (schema-engine's `create_migrations_table`). Made here, because the engine makes none beside tables of anybody else's. */
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

/** What `migrate` is doing; `index` counts from 0. */
export type MigrationProgress = { step: "waiting" } | { step: "copying"; to: string } | { step: "applying"; name: string; index: number; total: number };

type MigrateOptions = {
  /** The database; without it this process's own. */
  driver?: Driver;
  /** The last migration to apply; without it all are. */
  upTo?: string;
  onProgress?: (progress: MigrationProgress) => void;
};

/**
 * Brings the database to this version, by Prisma's schema engine, and returns the names of what it applied. Each migration and its record are one
 * transaction, so that a crash leaves all of it or nothing. Of several processes at once one migrates; the others wait and find nothing to do.
 * An embedded database that holds anything is copied to `backups/` first.
 * @throws StartupError if a migration fails, or the database has been changed by another version; what the database says where its user lacks a right (`isDenied`)
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
    const known = await listMigrations();
    for (const [index, migration] of pending.entries()) {
      onProgress({ step: "applying", name: migration.name, index, total: pending.length });
      await apply(known.slice(0, known.indexOf(migration) + 1), connection);
    }
    return pending.map((migration) => migration.name);
  } finally {
    await connection.close();
  }
}

/** Keeps others from migrating until the connection behind `execute` closes. Waits for a migration that runs. */
export async function holdMigrations(execute: Execute): Promise<void> {
  await execute(`SELECT pg_advisory_lock_shared(${MIGRATION_LOCK})`);
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

/** The engine applies the last of `history`, which the database lacks, and records it: both in one transaction. */
async function apply(history: Migration[], { transaction }: Pick<Connection, "transaction">): Promise<void> {
  try {
    await transaction((_execute, adapter) => applyWithEngine(adapter, history));
  } catch (error) {
    if (isDenied(error)) throw error;
    const [last, failed] = [history.at(-2), history.at(-1)];
    const meanwhile = last ? ` Until that is mended, a version of Heard whose newest migration is ${last.name} still runs on this database.` : "";
    throw new StartupError(`The migration ${failed?.name} failed, and nothing of it was kept: ${reasonOf(error as Error)}.${meanwhile}`, { cause: error });
  }
}

/** The database's own words, where it said any: the adapter's are but a kind. */
function reasonOf(error: Error): string {
  return (error.cause as Partial<DriverAdapterError["cause"]> | undefined)?.originalMessage || (error.message.split("\n", 1)[0] ?? "");
}
