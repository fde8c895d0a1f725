import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { openDatabase, openDriver } from "#lib/db";
import { env } from "#lib/env";
import { assertFree, checkBackup, readParts, writeBackup } from "./backup/file.ts";
import { makeBackupPlace, noteBackup } from "./backup/last.ts";
import { fillDatabase, refuseNewer } from "./backup/load.ts";
import { counted, type OnProgress, readSite, withSource } from "./backup/source.ts";

/**
 * Writes the whole site, as it is at one moment, into one file, which holds all that the database holds: hashes, sessions and secrets, too.
 * Without `file` it gets a name from the clock, in the data directory's `backups`. Returns its path and size.
 * @throws AppError NOT_FOUND if there is no site; FORBIDDEN if the file exists, cannot be written, or a newer Heard has migrated the site
 */
export async function backUp(file: string | undefined, onProgress: OnProgress): Promise<{ path: string; bytes: number }> {
  const path = resolve(file ?? join(env().DATA_DIR, "backups", `heard-${new Date().toISOString().replace(/\..*/, "").replaceAll(":", "-")}Z.jsonl.gz`));
  // Said before the site is read, which may take long.
  assertFree(path);
  await withSource((driver) =>
    readSite(driver, onProgress, (header, parts) => {
      makeBackupPlace();
      return writeBackup(path, header, parts);
    }),
  );
  noteBackup(path);
  return { path, bytes: statSync(path).size };
}

/**
 * Brings a backup back into this process's empty database: all of it or nothing. Returns how many rows that were.
 * @throws AppError NOT_FOUND or VALIDATION_ERROR if the file is missing, damaged, cut off, or from a newer Heard; FORBIDDEN if the database is not empty
 * @throws StartupError if the database cannot be used, as when another process has it
 */
export async function restoreBackup(file: string, onProgress: OnProgress): Promise<number> {
  const path = resolve(file);
  const { rowCount, ...header } = await checkBackup(path);
  await refuseNewer(header);
  await openDatabase();
  await fillDatabase(await openDriver(), header, counted(readParts(path), rowCount, onProgress));
  return rowCount;
}
