import fs, { writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { db, openDatabase } from "#lib/db";

// Writes a row, says so, and writes another on a disk that has begun to fail: the function named is the one that finds out.
const which = process.argv[2] as "fsync" | "fsyncSync";
await openDatabase();
await db.secret.create({ data: { name: "before", value: "kept" } });
writeSync(1, "written\n");
const failure = Object.assign(new Error("EIO: i/o error, fsync"), { code: "EIO", errno: -5 });
const failing = {
  fsync(_fd: number, done: fs.NoParamCallback) {
    done(failure);
  },
  fsyncSync() {
    throw failure;
  },
};
Object.assign(fs, { [which]: failing[which] });
syncBuiltinESMExports();
for (;;) {
  await db.secret.create({ data: { name: crypto.randomUUID(), value: "lost" } }).catch(() => {});
  await db.$executeRaw`CHECKPOINT`.catch(() => {});
}
