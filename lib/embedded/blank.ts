import { chmodSync, constants, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Engine } from "./engine.ts";

/** Where the build leaves a database with nothing in it, below the folder that Heard runs in. */
export const BLANK_DATABASE = join(".heard", "blank-database");

/** The engine takes seconds to make a database; a copy of one is made in a fraction of that. Replaces what is at `place`. */
export async function makeBlankDatabase(place = BLANK_DATABASE): Promise<void> {
  mkdirSync(dirname(place), { recursive: true });
  const draft = mkdtempSync(`${place}.new-`);
  try {
    const engine = await Engine.open(draft);
    await engine.close();
    rmSync(place, { recursive: true, force: true });
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
    chmodSync(target, 0o700);
    return true;
  } catch {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { mode: 0o700 });
    return false;
  }
}
