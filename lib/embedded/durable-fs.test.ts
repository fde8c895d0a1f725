import fs, { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { openEmbedded } from "#lib/embedded";
import { replaceInFs, watchOpened, watchSyncs } from "#lib/testing/syncs";

async function openCopy() {
  const dataDir = mkdtempSync(join(tmpdir(), "heard-durable-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  cpSync(inject("databaseTemplate"), join(dataDir, "db"), { recursive: true });
  return { dataDir, ...(await openEmbedded(dataDir)) };
}

/** From now on notes what this process does that only the log can undo, while something of the log has not been synced; until `restore` is called. */
function watchOrder(): { early: string[]; restore: () => void } {
  const early: string[] = [];
  const dirty = new Set<number>();
  const opened = watchOpened();
  const { writeSync, fsync, fsyncSync, unlinkSync, renameSync, truncateSync, ftruncateSync } = fs;
  const isLog = (fd: number) => opened.pathOf(fd).includes("/pg_wal/");
  const note = (what: string) => dirty.size > 0 && early.push(what);
  const restore = replaceInFs({
    writeSync(fd: number, ...rest: [Buffer]) {
      if (isLog(fd)) dirty.add(fd);
      else note(`wrote ${opened.pathOf(fd)}`);
      return writeSync(fd, ...rest);
    },
    fsync(fd: number, done: fs.NoParamCallback) {
      fsync(fd, (error) => {
        dirty.delete(fd);
        done(error);
      });
    },
    fsyncSync(fd: number) {
      fsyncSync(fd);
      dirty.delete(fd);
    },
    unlinkSync(path: string) {
      note(`removed ${path}`);
      unlinkSync(path);
    },
    renameSync(from: string, to: string) {
      note(`renamed ${from}`);
      renameSync(from, to);
    },
    truncateSync(path: string, length: number) {
      note(`cut ${path}`);
      truncateSync(path, length);
    },
    ftruncateSync(fd: number, length: number) {
      note(`cut ${opened.pathOf(fd)}`);
      ftruncateSync(fd, length);
    },
  });
  const restoreAll = () => {
    restore();
    opened.restore();
  };
  return { early, restore: restoreAll };
}

// Needs no server, so once is enough where the suites run on both databases.
test.skipIf(process.env.TEST_DATABASE_URL)("D4: of a directory that the engine syncs the names are on disk, those of its log's new files, too", async () => {
  const { dataDir, pglite, close } = await openCopy();
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

test.skipIf(process.env.TEST_DATABASE_URL)("D4: what the log has to tell first is on disk before anything else is changed there", async () => {
  const { pglite, close } = await openCopy();
  await pglite.exec('CREATE TABLE "Big" AS SELECT n, repeat(md5(n::text), 20) AS text FROM generate_series(1, 5000) n; CREATE INDEX ON "Big" (n)');
  const { early, restore } = watchOrder();

  await pglite.exec('BEGIN; UPDATE "Big" SET n = n + 1; COMMIT; BEGIN; DELETE FROM "Big"; COMMIT');
  for (const tidying of ['VACUUM "Big"', "CHECKPOINT"]) await pglite.exec(tidying);
  await pglite.exec('BEGIN; INSERT INTO "Big" VALUES (1); COMMIT; DROP TABLE "Big"');
  restore();
  await close();

  expect(early).toEqual([]);
});

test.skipIf(process.env.TEST_DATABASE_URL)("while the disk takes the log in, the process goes on with other work", async () => {
  const { pglite, close } = await openCopy();
  const { fsync } = fs;
  let [isSyncing, ticks] = [false, 0];
  const restore = replaceInFs({
    fsync(fd: number, done: fs.NoParamCallback) {
      isSyncing = true;
      setTimeout(() => {
        isSyncing = false;
        fsync(fd, done);
      }, 50);
    },
  });
  const clock = setInterval(() => isSyncing && ticks++, 5);

  await pglite.query(`INSERT INTO "Secret" VALUES ('slow', '')`);
  clearInterval(clock);
  restore();
  await close();

  expect([isSyncing, ticks > 2]).toEqual([false, true]);
});
