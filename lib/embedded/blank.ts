import { chmodSync, constants, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncTree } from "./durable-fs.ts";
import { Engine } from "./engine.ts";

/** Where the build leaves a database with nothing in it, below the folder that Heard runs in. */
export const BLANK_DATABASE = join(".heard", "blank-database");

/** Makes a database with nothing in it at `place`, instead of what is there: the engine takes seconds for it, a copy a fraction of that. */
export async function makeBlankDatabase(place = BLANK_DATABASE): Promise<void> {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(dirname(place), { recursive: true });
  const draft = mkdtempSync(`${place}.new-`);
  try {
    const engine = await Engine.open(draft);
    await engine.close();
    syncTree(draft);
    renameSync(draft, place);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
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
    return true;
  } catch {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { mode: 0o700 });
    return false;
  }
}

/** The owner's alone, as the engine makes it: whoever handed the blank one on may have made it everybody's to read, or nobody's to write. */
function makePrivate(path: string): void {
  const isFolder = statSync(path).isDirectory();
  chmodSync(path, isFolder ? 0o700 : 0o600);
  if (isFolder) for (const name of readdirSync(path)) makePrivate(join(path, name));
}
