import fs, { writeSync } from "node:fs";
import { db, openDatabase } from "#lib/db";
import { replaceInFs } from "#lib/testing/syncs";

// Writes two rows in one transaction, says so, and again: `limit` times or until it is killed. What it has said must never be lost. At its end it says how often it synced.
const [prefix = "pair", limit = "Infinity"] = process.argv.slice(2);
const { fsync, fsyncSync } = fs;
let syncs = 0;
replaceInFs({
  fsync(...args: Parameters<typeof fsync>) {
    syncs++;
    fsync(...args);
  },
  fsyncSync(fd: number) {
    syncs++;
    fsyncSync(fd);
  },
});

await openDatabase();
await db.$queryRaw`SELECT 1`;
writeSync(1, "begin\n");
syncs = 0;
for (let pair = 0; pair < Number(limit); pair++) {
  await db.$transaction(async (tx) => {
    await tx.secret.create({ data: { name: `${prefix}-${pair}-a`, value: "a" } });
    await tx.secret.create({ data: { name: `${prefix}-${pair}-b`, value: "b" } });
  });
  writeSync(1, `${prefix}-${pair}\n`);
}
writeSync(1, `end ${syncs}\n`);
process.kill(process.pid, "SIGKILL");
