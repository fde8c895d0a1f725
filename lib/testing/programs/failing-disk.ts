import fs, { writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { db, openDatabase } from "#lib/db";

// Writes a row, says so, and writes another on a disk that has begun to fail.
await openDatabase();
await db.secret.create({ data: { name: "before", value: "kept" } });
writeSync(1, "written\n");
fs.fsyncSync = () => {
  throw Object.assign(new Error("EIO: i/o error, fsync"), { code: "EIO", errno: -5 });
};
syncBuiltinESMExports();
for (;;) await db.secret.create({ data: { name: crypto.randomUUID(), value: "lost" } }).catch(() => {});
