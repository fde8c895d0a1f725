import { readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { callControl } from "#lib/control";
import { type Driver, databaseKind, openDatabase, openDriver, openDriverOf } from "#lib/db";
import { type Execute, openConnection } from "#lib/db/connection";
import { assertEmbedded } from "#lib/embedded";
import { lockDirectory } from "#lib/embedded/lock";
import { env } from "#lib/env";
import { AppError } from "#lib/errors";
import { holdMigrations } from "#lib/migrate";
import { lastMigration, listMigrations } from "#lib/migrate/history";
import { isStartupError } from "#lib/startup-error";
import { heardVersion } from "#lib/version";
import type { BackupHeader } from "./file.ts";
import { countRows, listTables, type Part, PLAIN_TEXT, readTables } from "./tables.ts";

/** Told how many rows of how many were handled. */
export type OnProgress = (done: number, total: number) => void;

const SNAPSHOT = "snapshot-";
/** Within this a reader has opened the copy that was made for it, and locked it. */
const OPENED_WITHIN_MS = 60_000;

/** Copies of this process that their readers may not have locked yet. */
const fresh = new Set<string>();

/**
 * Lets `use` read the site's database: itself, or, while another process has the embedded one, a copy that this process makes of it in the
 * moment between two of its transactions. Reading that disturbs nobody, however long it takes.
 * @throws AppError NOT_FOUND if there is none
 * @throws StartupError if it cannot be used
 */
export async function withSource<Result>(use: (driver: Driver) => Promise<Result>): Promise<Result> {
  const { DATA_DIR } = env();
  if (databaseKind() === "postgresql") return useOwn(use);
  assertEmbedded(DATA_DIR);
  const snapshot = await callControl(DATA_DIR, "snapshot", {}, () => {});
  if (snapshot === null) return useOwn(use);
  try {
    const driver = await openDriverOf({ DATA_DIR: join(DATA_DIR, snapshot) });
    return await use(driver).finally(() => driver.close());
  } finally {
    rmSync(join(DATA_DIR, snapshot), { recursive: true, force: true });
  }
}

async function useOwn<Result>(use: (driver: Driver) => Promise<Result>): Promise<Result> {
  await openDatabase();
  return use(await openDriver());
}

/**
 * Copies the embedded database of this process for another one to read, and returns the copy's name in the data directory. Who reads it
 * removes it; what a killed reader left is removed here.
 */
export async function takeSnapshot(): Promise<string> {
  const driver = await openDriver();
  if (driver.kind !== "embedded") throw new AppError("FORBIDDEN", "Only an embedded database is read from a copy.");
  const root = resolve(env().DATA_DIR);
  for (const name of readdirSync(root)) if (name.startsWith(SNAPSHOT) && !fresh.has(name)) await removeIfUnused(join(root, name));
  const name = `${SNAPSHOT}${crypto.randomUUID()}`;
  fresh.add(name);
  try {
    await driver.snapshotTo(name);
    setTimeout(() => fresh.delete(name), OPENED_WITHIN_MS).unref();
    return name;
  } catch (error) {
    fresh.delete(name);
    rmSync(join(root, name), { recursive: true, force: true });
    throw new AppError("FORBIDDEN", `The site cannot be read for a backup (${(error as Error).message}): make room in the data directory, then try again.`, {
      cause: error,
    });
  }
}

async function removeIfUnused(directory: string): Promise<void> {
  try {
    await (await lockDirectory(directory)).release();
    rmSync(directory, { recursive: true, force: true });
  } catch (error) {
    if (!isStartupError(error)) throw error;
  }
}

/**
 * Lets `use` read one state of the whole site, while others go on writing. Nobody migrates meanwhile.
 * @throws AppError NOT_FOUND if nobody has set the site up; FORBIDDEN if a newer Heard has migrated it
 */
export async function readSite<Result>(driver: Driver, onProgress: OnProgress, use: (header: BackupHeader, parts: AsyncGenerator<Part>) => Promise<Result>) {
  const connection = await openConnection(driver);
  try {
    await holdMigrations(connection.execute);
    return await connection.transaction(async (execute) => {
      await execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
      await execute(PLAIN_TEXT);
      const header = { version: heardVersion(), migration: await migrationOf(execute) };
      const tables = await listTables(execute);
      return use(header, counted(readTables(execute, tables), await countRows(execute, tables), onProgress));
    });
  } finally {
    await connection.close();
  }
}

async function migrationOf(execute: Execute): Promise<string> {
  const migration = await lastMigration(execute);
  const [site] = migration === null ? [] : await execute(`SELECT 1 FROM "SiteSettings"`);
  if (migration === null || !site) throw new AppError("NOT_FOUND", "There is nothing to copy: nobody has set this site up. Check DATA_DIR and DATABASE_URL.");
  if ((await listMigrations()).some(({ name }) => name === migration)) return migration;
  throw new AppError("FORBIDDEN", `The database was used by a newer Heard (it has the migration ${migration}): use that version.`);
}

/** The same parts, telling how many rows have come. */
export async function* counted(parts: AsyncIterable<Part>, total: number, onProgress: OnProgress): AsyncGenerator<Part> {
  let done = 0;
  for await (const part of parts) {
    yield part;
    done += part.rows.length;
    onProgress(done, total);
  }
}
