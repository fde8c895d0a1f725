import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { copyCheckout } from "#scripts/testing/copy";
import { readRows } from "../stored.ts";
import { anEmptyPlace } from "./places.ts";
import { canUnshare, runToEnd } from "./run.ts";

test("a migration is written from the schema, and applied beside the others", { timeout: 120_000 }, async () => {
  const checkout = copyCheckout();
  onTestFinished(() => rmSync(checkout, { recursive: true, force: true }));
  const place = await anEmptyPlace();
  const settings = { DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl };
  appendFileSync(
    join(checkout, "prisma/schema.prisma"),
    "\nmodel Note {\n  noteId String @id @default(uuid(7)) @db.Uuid\n  text String @unique @db.VarChar(40)\n}\n",
  );

  // Where the database is a folder, without any network.
  const under = !place.databaseUrl && canUnshare() ? ["unshare", "-n"] : [];
  const written = await runToEnd("scripts/db-new-migration.ts", settings, ["add_notes"], { checkout, under });
  const again = await runToEnd("scripts/db-new-migration.ts", settings, ["add_more"], { checkout, under });
  const applied = await runToEnd("scripts/db-migrate.ts", settings, [], { checkout, under });

  expect([written.code, again.code, applied.code]).toEqual([0, 0, 0]);
  const [, path = ""] = written.output.match(/^Written: (prisma\/migrations\/\d{14}_add_notes\/migration\.sql)$/m) ?? [];
  expect(readFileSync(join(checkout, path), "utf8")).toMatch(/CREATE TABLE "Note"[\s\S]*CREATE UNIQUE INDEX "Note_text_key"/);
  expect(again.output).toContain("nothing to write");
  expect(applied.output).toContain("_add_notes");
  const [row] = await readRows<{ columns: string }>(
    place,
    `SELECT string_agg(column_name || ' ' || data_type, ', ' ORDER BY column_name) AS columns FROM information_schema.columns WHERE table_name = 'Note'`,
  );
  expect(row?.columns).toBe("noteId uuid, text character varying");
});
