import fs, { writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { db, openDatabase } from "#lib/db";

// Writes a row, says so, and writes another on a disk that has begun to fail: beside the engine, within it, or within it for its log alone.
const where = process.argv[2] as "beside" | "within" | "log within";
const { openSync, fsyncSync } = fs;
const paths = new Map<number, string>();
Object.assign(fs, {
  openSync(...args: Parameters<typeof openSync>) {
    const fd = openSync(...args);
    paths.set(fd, String(args[0]));
    return fd;
  },
});
syncBuiltinESMExports();
await openDatabase();
await db.secret.create({ data: { name: "before", value: "kept" } });
writeSync(1, "written\n");
const failure = Object.assign(new Error("EIO: i/o error, fsync"), { code: "EIO", errno: -5 });
const beside = {
  fsync(_fd: number, done: fs.NoParamCallback) {
    done(failure);
  },
};
const within = {
  fsyncSync(fd: number) {
    if (where === "within" || paths.get(fd)?.includes("/pg_wal/")) throw failure;
    fsyncSync(fd);
  },
};
Object.assign(fs, where === "beside" ? beside : within);
syncBuiltinESMExports();
for (;;) {
  await db.secret.create({ data: { name: crypto.randomUUID(), value: "lost" } }).catch(() => {});
  await db.$executeRaw`CHECKPOINT`.catch(() => {});
}
