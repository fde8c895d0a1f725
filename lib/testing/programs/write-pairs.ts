import { writeSync } from "node:fs";
import { db, openDatabase } from "#lib/db";

// Writes two rows in one transaction, says so, and again: `limit` times or until it is killed. What it has said must never be lost.
const [prefix = "pair", limit = "Infinity"] = process.argv.slice(2);
await openDatabase();
await db.$queryRaw`SELECT 1`;
writeSync(1, "begin\n");
for (let pair = 0; pair < Number(limit); pair++) {
  await db.$transaction(async (tx) => {
    await tx.secret.create({ data: { name: `${prefix}-${pair}-a`, value: "a" } });
    await tx.secret.create({ data: { name: `${prefix}-${pair}-b`, value: "b" } });
  });
  writeSync(1, `${prefix}-${pair}\n`);
}
writeSync(1, "end\n");
process.kill(process.pid, "SIGKILL");
