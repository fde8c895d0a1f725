import { accessSync, constants, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { BLANK_DATABASE, copyBlankDatabase, isUnopenedCopy, noteOpened } from "./embedded/blank.ts";
import { syncPath, syncTree } from "./embedded/durable-fs.ts";
import { Engine } from "./embedded/engine.ts";
import { type DirectoryLock, lockDirectory } from "./embedded/lock.ts";
import { freeBytes, inMegabytes, RESERVE_BYTES } from "./embedded/room.ts";
import { AppError } from "./errors.ts";
import { log } from "./log.ts";
import { StartupError } from "./startup-error.ts";

/** The PostgreSQL inside PGlite 0.5; a test asks the engine. */
export const ENGINE_MAJOR = "18";
/** No place of a blank database: the engine makes one. */
const NO_BLANK = "";

/** The embedded database, open for this process alone. */
export type Embedded = {
  pglite: PGlite;
  /** Copies the whole database, as of now, to `backups/<name>` and returns that path. Queries wait meanwhile. Where it fails nothing of it is left. */
  copyTo(name: string): Promise<string>;
  /**
   * Copies it to `<name>/db` in the data directory, which another process can then open as one of its own. For a short use: nothing of it is synced.
   */
  snapshotTo(name: string): Promise<void>;
  /** Lets running queries finish, then closes the engine and gives the directory free. */
  close(): Promise<void>;
};

/**
 * Opens the database in `<dataDir>/db`, made on the first call, of a copy of `blank` where that is one, so that only this process has it and every commit is on disk
 * before it is acknowledged.
 * @throws StartupError if the directory cannot be written, is on a full disk, belongs to another PostgreSQL, or is in use
 */
export async function openEmbedded(dataDir: string, blank = BLANK_DATABASE): Promise<Embedded> {
  const root = resolve(dataDir);
  const directory = join(root, "db");
  makeWritable(root);
  refuseOtherEngine(directory);
  refuseFullDisk(root);
  const lock = await lockDirectory(root);
  try {
    const pglite = await openOrMake(root, directory, blank);
    return {
      pglite,
      copyTo: (name) => keepCopy(pglite, directory, join(root, "backups", name)),
      snapshotTo: (name) => copyDatabase(pglite, directory, join(root, name, "db")),
      close: () => closeEngine(pglite, lock),
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Whether there is an embedded database in `dataDir`. Looks only. */
export function hasEmbedded(dataDir: string): boolean {
  return existsSync(join(resolve(dataDir), "db", "PG_VERSION"));
}

/**
 * Goes on only if there is an embedded database in `dataDir`.
 * @throws AppError NOT_FOUND; FORBIDDEN if this user cannot tell
 */
export function assertEmbedded(dataDir: string): void {
  refuseClosed(dataDir);
  if (!hasEmbedded(dataDir))
    throw new AppError("NOT_FOUND", `There is no site in ${resolve(dataDir)}: check DATA_DIR, or DATABASE_URL if it is in PostgreSQL.`);
}

/**
 * Goes on only if this user can tell what is in the data directory.
 * @throws AppError FORBIDDEN
 */
export function refuseClosed(dataDir: string): void {
  const root = resolve(dataDir);
  try {
    statSync(join(root, "db", "PG_VERSION"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") return;
    throw new AppError("FORBIDDEN", `This user may not look into ${root}: do it as the user that runs Heard.`, { cause: error });
  }
}

function makeWritable(root: string): void {
  try {
    makeFolder(root);
    readdirSync(root);
    accessSync(root, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const why = ["ENOTDIR", "EEXIST"].includes(code) ? "is not a folder" : `cannot be written to by this user (${code})`;
    throw new StartupError(`The data directory ${root} ${why}: point DATA_DIR at a folder that this user may write to.`, { cause: error });
  }
}

/** Not mkdir's `recursive`, which never returns where the kernel answers ENOENT below a folder that exists, as in /proc (Node 24.21). */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts just now made it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Looks only, so that a directory that is not ours stays as it is to the byte. */
function refuseOtherEngine(directory: string): void {
  const versionPath = join(directory, "PG_VERSION");
  if (!statSync(versionPath, { throwIfNoEntry: false })?.isFile()) {
    if (!existsSync(directory) || readdirSync(directory).length === 0) return;
    throw new StartupError(`The folder ${directory} holds something that is not Heard's database: point DATA_DIR elsewhere, or empty that folder.`);
  }
  const major = readFileSync(versionPath, "utf8").trim();
  if (major === ENGINE_MAJOR) return;
  throw new StartupError(
    `The database in ${directory} was written by PostgreSQL ${major}, and this version of Heard brings ${ENGINE_MAJOR}: start the version of Heard that wrote it, or point DATA_DIR elsewhere. Nothing was changed.`,
  );
}

/** A database that is yet to be made takes as much as the reserve. */
function refuseFullDisk(root: string): void {
  const needed = hasEmbedded(root) ? RESERVE_BYTES : 2 * RESERVE_BYTES;
  if (freeBytes(root) >= needed) return;
  throw new StartupError(
    `The disk that holds ${root} is full (${inMegabytes(freeBytes(root))} are left, and Heard needs ${inMegabytes(needed)}): make room there, then try again. Nothing was changed.`,
  );
}

async function openOrMake(root: string, directory: string, blank: string): Promise<PGlite> {
  await initialize(root, directory, blank);
  if (!isUnopenedCopy(directory)) return startEngine(directory);
  const copy = await startEngine(directory).catch((error: unknown) => {
    log.warn({ err: error }, "the blank database that the build left cannot be opened");
    return null;
  });
  if (!copy) {
    // Never opened, so nobody's data is in it. `initialize` deletes it, also after a start that was killed here.
    renameSync(directory, join(root, "db.new-unopenable"));
    await initialize(root, directory, NO_BLANK);
    return startEngine(directory);
  }
  try {
    noteOpened(directory);
    return copy;
  } catch (error) {
    await copy.close();
    throw error;
  }
}

/**
 * Makes the database beside its place and moves it there when it is whole and synced: a new directory is filled file by file,
 * and a start that was killed meanwhile would leave one that looks like a database.
 */
async function initialize(root: string, directory: string, blank: string): Promise<void> {
  for (const name of readdirSync(root)) if (name.startsWith("db.new-")) rmSync(join(root, name), { recursive: true });
  if (existsSync(join(directory, "PG_VERSION"))) return;
  const draft = join(root, `db.new-${process.pid}`);
  mkdirSync(draft, { mode: 0o700 });
  const isCopy = blank !== NO_BLANK && copyBlankDatabase(draft, { major: ENGINE_MAJOR, place: blank });
  if (!isCopy) await (await startEngine(draft)).close();
  syncTree(draft);
  if (existsSync(directory)) rmSync(directory, { recursive: true });
  renameSync(draft, directory);
  syncPath(root);
}

async function startEngine(directory: string): Promise<PGlite> {
  try {
    return await Engine.open(directory);
  } catch (error) {
    throw new StartupError(
      `The database in ${directory} could not be opened (${(error as Error).message}): check the disk's free space and the folder's owner, or restore a copy from the backups folder beside it.`,
      { cause: error },
    );
  }
}

async function closeEngine(pglite: PGlite, lock: DirectoryLock): Promise<void> {
  try {
    if (!pglite.closed) await pglite.close();
  } finally {
    await lock.release();
  }
}

async function keepCopy(pglite: PGlite, directory: string, target: string): Promise<string> {
  const draft = `${target}.partial`;
  await copyDatabase(pglite, directory, draft);
  try {
    syncTree(draft);
    renameSync(draft, target);
  } catch (error) {
    // A full disk may show itself only now.
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  syncPath(join(target, ".."));
  return target;
}

/**
 * While a transaction of ours is open no other begins, so nothing is written, and what is on disk is what crash recovery is made for; the
 * checkpoint makes even that short. Copied in one go: were others let in between two files, they would only prolong everybody's wait.
 */
async function copyDatabase(pglite: PGlite, directory: string, target: string): Promise<void> {
  await pglite.transaction(async (tx) => {
    await tx.exec("CHECKPOINT");
    const { rows } = await tx.query<{ first: string; last: string }>(
      `SELECT pg_walfile_name(redo_lsn) AS "first", pg_walfile_name(pg_current_wal_insert_lsn()) AS "last" FROM pg_control_checkpoint()`,
    );
    const [{ first, last }] = rows as [{ first: string; last: string }];
    // The engine keeps segments of its log for later use, with nothing in them that counts.
    const isIdleLog = (name: string) => /^[0-9A-F]{24}$/.test(name) && (name < first || name > last);
    const filter = (path: string) => !isIdleLog(basename(path));
    refuseLargeCopy(directory, sizeOf(directory, filter));
    try {
      mkdirSync(target, { recursive: true, mode: 0o700 });
      cpSync(directory, target, { recursive: true, mode: constants.COPYFILE_FICLONE, filter });
    } catch (error) {
      rmSync(target, { recursive: true, force: true });
      throw error;
    }
  });
}

/** A copy must not be what fills the disk: the site could not be written to as long as the copy is there. */
function refuseLargeCopy(directory: string, bytes: number): void {
  const [free, needed] = [freeBytes(directory), bytes + RESERVE_BYTES];
  if (free < needed) throw new Error(`the disk has ${inMegabytes(free)} left, and a copy of the database needs ${inMegabytes(needed)}`);
}

function sizeOf(path: string, filter: (path: string) => boolean): number {
  if (!filter(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name), filter), 0);
}
