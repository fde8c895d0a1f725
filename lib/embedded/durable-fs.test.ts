import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { openEmbedded } from "#lib/embedded";
import { watchSyncs } from "#lib/testing/syncs";

// Needs no server, so once is enough where the suites run on both databases.
test.skipIf(process.env.TEST_DATABASE_URL)("D4: of a directory that the engine syncs the names are on disk, those of its log's new files, too", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "heard-durable-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  cpSync(inject("databaseTemplate"), join(dataDir, "db"), { recursive: true });
  const { pglite, close } = await openEmbedded(dataDir);
  const { synced, restore } = watchSyncs();

  // The engine makes the next file of its log under another name, which it then changes: synced is the file, and the directory.
  for (let file = 0; file < 3; file++) await pglite.query("SELECT pg_logical_emit_message(false, 'test', ''), pg_switch_wal()");
  const bySwitching = synced.splice(0);
  await pglite.exec("CHECKPOINT");
  restore();
  await close();

  expect(bySwitching).toContain(join(dataDir, "db/pg_wal"));
  expect(synced).toContain(join(dataDir, "db/pg_xact"));
});
