import fs, { readdirSync, statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

/** From now on notes which paths this process syncs and when it renames a folder, and all that was in that one; until `restore` is called. */
export function watchSyncs(): { synced: string[]; wanted: string[]; restore: () => void } {
  const [synced, wanted]: [string[], string[]] = [[], []];
  const opened = new Map<number, string>();
  const { openSync, fsync, fsyncSync, renameSync } = fs;
  const restore = () => {
    Object.assign(fs, { openSync, fsync, fsyncSync, renameSync });
    syncBuiltinESMExports();
  };
  Object.assign(fs, {
    openSync(...args: Parameters<typeof openSync>) {
      const fd = openSync(...args);
      opened.set(fd, String(args[0]));
      return fd;
    },
    fsync(fd: number, done: fs.NoParamCallback) {
      synced.push(opened.get(fd) ?? "");
      fsync(fd, done);
    },
    fsyncSync(fd: number) {
      fsyncSync(fd);
      synced.push(opened.get(fd) ?? "");
    },
    renameSync(from: string, to: string) {
      const isFolder = statSync(from).isDirectory();
      if (isFolder) wanted.push(from, ...readdirSync(from, { recursive: true }).map((name) => join(from, String(name))));
      renameSync(from, to);
      if (isFolder) synced.push("renamed");
    },
  });
  syncBuiltinESMExports();
  return { synced, wanted, restore };
}
