import { closeSync, constants, fchownSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { env } from "#lib/env";

const lastBackup = z.object({ at: z.iso.datetime().pipe(z.coerce.date()), path: z.string() });

/** When a backup was last written, and into which file. */
export type LastBackup = z.infer<typeof lastBackup>;

// A file, not a row: a backup reads the site and changes nothing of it, also where the site runs in another process, and is the same bytes each time.
function record(): string {
  return join(env().DATA_DIR, "backups", "last.json");
}

/** Keeps that a backup was just written to `path`, wherever that is. What cannot be kept is shown as never made; the backup is whole all the same. */
export function noteBackup(path: string): void {
  try {
    write(record(), JSON.stringify({ at: new Date().toISOString(), path }));
  } catch {}
}

/** Writes the file in one go, in a folder that it makes where there is none. */
function write(file: string, text: string): void {
  const [folder, draft] = [dirname(file), `${file}.${crypto.randomUUID().slice(0, 8)}.partial`];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const handle = openSync(draft, "wx", 0o600);
  try {
    writeFileSync(handle, text);
    giveToSite(folder, handle);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

/** What root makes in the data directory belongs to whom the site belongs, who else could neither read the note nor keep an upgrade's copy beside it. */
function giveToSite(folder: string, note: number): void {
  const { uid, gid } = statSync(env().DATA_DIR);
  if (process.getuid?.() !== 0 || uid === 0) return;
  // By their handles: where somebody else writes, a name may lead elsewhere by now.
  const place = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    for (const handle of [place, note]) fchownSync(handle, uid, gid);
  } finally {
    closeSync(place);
  }
}

/** The last backup that was made with this data directory; null where there is none. */
export function findLastBackup(): LastBackup | null {
  try {
    return lastBackup.parse(JSON.parse(readFileSync(record(), "utf8")));
  } catch {
    return null;
  }
}
