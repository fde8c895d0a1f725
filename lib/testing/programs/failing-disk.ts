import fs, { writeSync } from "node:fs";
import { db, openDatabase } from "#lib/db";
import { replaceInFs, watchOpened } from "#lib/testing/syncs";

// Writes a row, says so, and writes another on a disk that has begun to fail: beside the engine, within it, or within it for its log alone.
const where = process.argv[2] as "beside" | "within" | "log within";
const { fsyncSync } = fs;
const opened = watchOpened();
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
    if (where === "within" || opened.pathOf(fd).includes("/pg_wal/")) throw failure;
    fsyncSync(fd);
  },
};
replaceInFs(where === "beside" ? beside : within);
for (;;) {
  await db.secret.create({ data: { name: crypto.randomUUID(), value: "lost" } }).catch(() => {});
  await db.$executeRaw`CHECKPOINT`.catch(() => {});
}
