import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { watchSyncs } from "#lib/testing/syncs";
import { ENGINE_MAJOR, openEmbedded } from "../embedded.ts";
import { copyBlankDatabase, makeBlankDatabase } from "./blank.ts";

// Needs no server, so once is enough where the suites run on both databases.
describe.skipIf(process.env.TEST_DATABASE_URL)("the blank database", { timeout: 90_000 }, () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "heard-blank-"));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  test("a blank database of another PostgreSQL, or one that cannot be copied, leaves the place as empty as it was", async () => {
    const [blank, target] = [join(dataDir, "blank"), join(dataDir, "target")];
    for (const folder of [join(blank, "base"), target]) mkdirSync(folder, { recursive: true });
    const copy = () => copyBlankDatabase(target, { major: ENGINE_MAJOR, place: blank });
    writeFileSync(join(blank, "PG_VERSION"), "17\n");
    expect([copy(), readdirSync(target)]).toEqual([false, []]);

    writeFileSync(join(blank, "PG_VERSION"), `${ENGINE_MAJOR}\n`);
    execFileSync("mkfifo", [join(blank, "base/not-a-file")]);
    expect([copy(), readdirSync(target)]).toEqual([false, []]);

    rmSync(join(blank, "base/not-a-file"));
    const elsewhere = join(dataDir, "elsewhere");
    mkdirSync(elsewhere, { mode: 0o755 });
    symlinkSync(elsewhere, join(blank, "base/elsewhere"));
    expect([copy(), readdirSync(target)]).toEqual([false, []]);
    expect(statSync(elsewhere).mode & 0o777).toBe(0o755);
    expect(statSync(target).mode & 0o777).toBe(0o700);
  });

  test("D4: a new database is on disk, whole, before it has its name, and its name before it is open", async () => {
    const blank = join(dataDir, "blank");
    await makeBlankDatabase(blank);
    const root = join(dataDir, "new");

    const { synced, wanted, restore } = watchSyncs();
    const embedded = await openEmbedded(root, blank).finally(restore);
    await embedded.close();

    expect(wanted.length).toBeGreaterThan(200);
    expect(wanted.filter((path) => !synced.includes(path))).toEqual([]);
    expect(synced[synced.indexOf("renamed") + 1]).toBe(root);
    // None that another would be made from.
    expect(readdirSync(join(root, "db/base"))).toHaveLength(1);
  });

  test("one that cannot be opened is no obstacle, also where a start was killed that had copied it", async () => {
    const [blank, db] = [join(dataDir, "blank"), join(dataDir, "db")];
    await makeBlankDatabase(blank);
    breakIt(blank);
    mkdirSync(db);
    expect(copyBlankDatabase(db, { major: ENGINE_MAJOR, place: blank })).toBe(true);

    for (const place of [dataDir, join(dataDir, "new")]) {
      const embedded = await openEmbedded(place, blank);
      const { rows } = await embedded.pglite.query("SELECT 1 AS one");
      await embedded.close();
      expect(rows).toEqual([{ one: 1 }]);
    }
  });

  test("a copy that was opened once is never replaced, whatever becomes of it", async () => {
    const blank = join(dataDir, "blank");
    await makeBlankDatabase(blank);
    await (await openEmbedded(join(dataDir, "new"), blank)).close();
    expect(existsSync(join(dataDir, "new/db/PG_VERSION"))).toBe(true);

    breakIt(join(dataDir, "new/db"));

    await expect(openEmbedded(join(dataDir, "new"), blank)).rejects.toThrow("could not be opened");
    expect(statSync(join(dataDir, "new/db/global/pg_control")).size).toBe(0);
  });
});

/** Takes from a database what no engine can open it without. */
function breakIt(database: string): void {
  truncateSync(join(database, "global/pg_control"), 0);
}
