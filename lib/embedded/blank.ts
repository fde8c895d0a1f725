import { chmodSync, constants, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncPath, syncTree } from "./durable-fs.ts";
import { Engine } from "./engine.ts";

/** Where the build leaves a database with nothing in it, below the folder that Heard runs in. */
export const BLANK_DATABASE = join(".heard", "blank-database");
/** Beside it the same with the tables of this version, for a site that is started for the first time. What is restored needs the tables of its own time, and takes the other. */
export const BLANK_SITE = join(".heard", "blank-site");
/** Lies in a copy until that was opened once: nobody's data is in a database that never was. */
const UNOPENED = "heard-unopened";

/** Databases are made from them, and here none ever is: two thirds of the files, each of which the first start would copy and sync. */
const DROP_TEMPLATES = ["UPDATE pg_database SET datistemplate = false", "DROP DATABASE template0", "DROP DATABASE template1"];

/** Makes a database with nothing in it at `place`, instead of what is there: the engine takes seconds for it, a copy a fraction of that. */
export async function makeBlankDatabase(place = BLANK_DATABASE): Promise<void> {
  const draft = `${place}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(dirname(draft), { recursive: true });
  const engine = await Engine.open(draft);
  for (const statement of DROP_TEMPLATES) await engine.exec(statement);
  await engine.close();
  putInPlace(draft, place);
}

/** Makes the blank site of a copy of the blank database in which `fill` makes its tables; `fill` is given the data directory, and closes what it opened. */
export async function makeBlankSite(fill: (dataDir: string) => Promise<void>): Promise<void> {
  // The last build's would be in the way of an older version, should this fail.
  rmSync(BLANK_SITE, { recursive: true, force: true });
  const dataDir = `${BLANK_SITE}.new`;
  rmSync(dataDir, { recursive: true, force: true });
  await fill(dataDir);
  putInPlace(join(dataDir, "db"), BLANK_SITE);
  rmSync(dataDir, { recursive: true });
}

function putInPlace(draft: string, place: string): void {
  syncTree(draft);
  rmSync(place, { recursive: true, force: true });
  renameSync(draft, place);
}

/**
 * Fills the empty folder `target` with a copy of the database at `place`, and says whether it did. Where there is none, or one of another
 * PostgreSQL than `major`, or it cannot be copied, `target` stays empty: the engine can make a database by itself, and says what keeps it from that.
 */
export function copyBlankDatabase(target: string, { major, place }: { major: string; place: string }): boolean {
  try {
    if (readFileSync(join(place, "PG_VERSION"), "utf8").trim() !== major) return false;
    // With a filter Node copies in JavaScript, and throws what fails; without one it does so in C++, which ends the process (Node 24.21).
    cpSync(place, target, { recursive: true, mode: constants.COPYFILE_FICLONE, filter: () => true });
    makePrivate(target);
    writeFileSync(join(target, UNOPENED), "", { mode: 0o600 });
    return true;
  } catch {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { mode: 0o700 });
    return false;
  }
}

/** Whether the database in `directory` is a copy of the blank one that was never opened. */
export function isUnopenedCopy(directory: string): boolean {
  return existsSync(join(directory, UNOPENED));
}

/** Notes for good that it was opened. */
export function noteOpened(directory: string): void {
  rmSync(join(directory, UNOPENED));
  syncPath(directory);
}

/** The owner's alone, as the engine makes it: whoever handed the blank one on may have made it everybody's to read, or nobody's to write. A link would lead out of it. */
function makePrivate(path: string): void {
  const stats = lstatSync(path);
  if (!stats.isDirectory() && !stats.isFile()) throw new Error(`${path} is neither a file nor a folder`);
  chmodSync(path, stats.isDirectory() ? 0o700 : 0o600);
  if (stats.isDirectory()) for (const name of readdirSync(path)) makePrivate(join(path, name));
}
