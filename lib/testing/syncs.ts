import fs, { readdirSync, statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

/** Has every module of this process call these instead of what `node:fs` has by their names; until the function it returns is called. */
export function replaceInFs(functions: object): () => void {
  const before = Object.fromEntries(Object.keys(functions).map((name) => [name, fs[name as keyof typeof fs]]));
  const put = (these: object) => {
    Object.assign(fs, these);
    syncBuiltinESMExports();
  };
  put(functions);
  return () => put(before);
}

/** From now on `pathOf` tells what a descriptor was opened for, "" if that was before; until `restore` is called. */
export function watchOpened(): { pathOf: (fd: number) => string; restore: () => void } {
  const paths = new Map<number, string>();
  const { openSync } = fs;
  const restore = replaceInFs({
    openSync(...args: Parameters<typeof openSync>) {
      const fd = openSync(...args);
      paths.set(fd, String(args[0]));
      return fd;
    },
  });
  return { pathOf: (fd) => paths.get(fd) ?? "", restore };
}

/** From now on notes which paths this process syncs and when it renames a folder, and all that was in that one; until `restore` is called. */
export function watchSyncs(): { synced: string[]; wanted: string[]; restore: () => void } {
  const [synced, wanted]: [string[], string[]] = [[], []];
  const opened = watchOpened();
  const { fsync, fsyncSync, renameSync } = fs;
  const restore = replaceInFs({
    fsync(fd: number, done: fs.NoParamCallback) {
      synced.push(opened.pathOf(fd));
      fsync(fd, done);
    },
    fsyncSync(fd: number) {
      fsyncSync(fd);
      synced.push(opened.pathOf(fd));
    },
    renameSync(from: string, to: string) {
      const isFolder = statSync(from).isDirectory();
      if (isFolder) wanted.push(from, ...readdirSync(from, { recursive: true }).map((name) => join(from, String(name))));
      renameSync(from, to);
      if (isFolder) synced.push("renamed");
    },
  });
  const restoreAll = () => {
    restore();
    opened.restore();
  };
  return { synced, wanted, restore: restoreAll };
}
