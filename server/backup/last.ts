import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { env } from "#lib/env";

const lastBackup = z.object({ at: z.iso.datetime().pipe(z.coerce.date()), path: z.string() });

/** When a backup was last written, and into which file. */
export type LastBackup = z.infer<typeof lastBackup>;

// A file, not a row: a backup reads the site and changes nothing of it, also where the site runs in another process, and is the same bytes each time.
const place = () => join(env().DATA_DIR, "backups");
const record = () => join(place(), "last.json");

/** Makes the data directory's place of backups, which also keeps the note of one that is written elsewhere. Where it cannot be made, whoever writes there says so. */
export function makeBackupPlace(): void {
  try {
    mkdirSync(env().DATA_DIR, { recursive: true, mode: 0o700 });
    asSite(() => mkdirSync(place(), { recursive: true, mode: 0o700 }));
  } catch {}
}

/** Keeps that a backup was just written to `path`, wherever that is. What cannot be kept is not shown; the backup is whole all the same. */
export function noteBackup(path: string): void {
  try {
    asSite(() => write(record(), JSON.stringify({ at: new Date().toISOString(), path })));
  } catch {}
}

/** Writes the file in one go. */
function write(file: string, text: string): void {
  const draft = `${file}.${crypto.randomUUID().slice(0, 8)}.partial`;
  try {
    writeFileSync(draft, text, { flag: "wx", mode: 0o600 });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Does `work` as whom the data directory belongs to. What root makes there the site could not read, and whoever may write there could lead root anywhere by a link. */
function asSite(work: () => void): void {
  const { uid, gid } = statSync(env().DATA_DIR);
  if (process.geteuid?.() !== 0 || uid === 0) return work();
  const { getegid, getgroups, setegid, seteuid, setgroups } = process as Required<typeof process>;
  const [group, groups] = [getegid(), getgroups()];
  try {
    // A folder may be somebody's and of root's group.
    setgroups([gid || uid]);
    setegid(gid || uid);
    seteuid(uid);
    work();
  } finally {
    seteuid(0);
    setegid(group);
    setgroups(groups);
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
