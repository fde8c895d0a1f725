import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { assertEmbedded, ENGINE_MAJOR, openEmbedded } from "#lib/embedded";
import { makeBlankDatabase } from "#lib/embedded/blank";
import { reportBar } from "#lib/testing/bars";
import { startProgram } from "#lib/testing/processes";
import { scale } from "#lib/testing/scale";

// Needs no server, so once is enough where the suites run on both databases.
describe.skipIf(process.env.TEST_DATABASE_URL)("the embedded database", { timeout: scale(90_000, 900_000) }, () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "heard-embedded-"));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  function useTemplate(): void {
    cpSync(inject("databaseTemplate"), join(dataDir, "db"), { recursive: true });
  }

  test("an empty folder becomes a database that only its owner can read", async () => {
    const embedded = await openEmbedded(join(dataDir, "new"), "nowhere");

    const { rows } = await embedded.pglite.query(
      "SELECT current_setting('server_version_num')::int / 10000 AS major, current_setting('fsync') AS fsync, current_setting('TimeZone') AS zone",
    );
    await embedded.close();

    expect(rows).toEqual([{ major: Number(ENGINE_MAJOR), fsync: "on", zone: "UTC" }]);
    expect(statSync(join(dataDir, "new")).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, "new/db")).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(dataDir, "new")).filter((name) => name.startsWith("db.new"))).toEqual([]);
  });

  test.runIf(process.getuid?.() === 0)("whoever may not look into the folder hears that, and not that there is no site", () => {
    useTemplate();
    const asNobody = (look: () => void) => {
      process.seteuid?.("nobody");
      try {
        look();
      } finally {
        process.seteuid?.(0);
      }
    };

    asNobody(() => expect(() => assertEmbedded(dataDir)).toThrow(`This user may not look into ${dataDir}`));
    assertEmbedded(dataDir);
    expect(() => assertEmbedded(join(dataDir, "nowhere"))).toThrow("There is no site in");
  });

  test("what the build made is copied, whole, and only its owner can read that", async () => {
    const blank = join(dataDir, "blank");
    await makeBlankDatabase(blank);
    writeFileSync(join(blank, "base/copied"), "");
    for (const folder of [blank, join(blank, "base")]) chmodSync(folder, 0o755);
    chmodSync(join(blank, "base/copied"), 0o444);
    const before = fingerprint(blank);

    const embedded = await openEmbedded(join(dataDir, "new"), blank);
    await embedded.pglite.exec("CREATE TABLE kept (one int)");
    await embedded.close();
    const again = await openEmbedded(join(dataDir, "new"), blank);
    const { rows } = await again.pglite.query("SELECT count(*)::int AS tables FROM pg_tables WHERE tablename = 'kept'");
    await again.close();

    expect(rows).toEqual([{ tables: 1 }]);
    expect(existsSync(join(dataDir, "new/db/base/copied"))).toBe(true);
    for (const folder of ["new/db", "new/db/base"]) expect(statSync(join(dataDir, folder)).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, "new/db/base/copied")).mode & 0o777).toBe(0o600);
    expect([fingerprint(blank), readdirSync(dataDir).toSorted()]).toEqual([before, ["blank", "new"]]);
  });

  test.for([
    ["a copy of the blank database", true],
    ["a database of the engine's own", false],
  ] as const)("a first start that was killed half-way, with %s, leaves nothing that the next one trips over", async ([, isCopy]) => {
    const blank = join(dataDir, "blank");
    if (isCopy) await makeBlankDatabase(blank);
    for (let round = 0; round < scale(2, 10); round++) {
      rmSync(join(dataDir, "db"), { recursive: true, force: true });
      const program = startProgram("open-embedded", { DATA_DIR: dataDir }, { args: [blank] });
      while (!readdirSync(dataDir).some((name) => name.startsWith("db"))) await sleep(5);
      await sleep(Math.random() * (isCopy ? 600 : 3000));
      await program.kill();
    }

    const embedded = await openEmbedded(dataDir, blank);
    const { rows } = await embedded.pglite.query("SELECT 1 AS one");
    await embedded.close();

    expect(rows).toEqual([{ one: 1 }]);
    expect(readdirSync(dataDir).filter((name) => name.startsWith("db.new"))).toEqual([]);
  });

  test("a second process is refused within 5 s, by a sentence that names the first, which keeps its writes", async () => {
    useTemplate();
    const writer = startProgram("write-pairs", { DATA_DIR: dataDir });
    await writer.says("pair-0");

    const startedAt = Date.now();
    const { code, errors } = await startProgram("hold-database", { DATA_DIR: dataDir }).ended;

    expect(code).toBe(1);
    expect(errors).toMatch(new RegExp(`is in use by another Heard \\(process ${writer.child.pid} on host .+, since \\d{4}-.+Z\\): stop that one first`));
    expect(Date.now() - startedAt).toBeLessThan(5000);
    await writer.kill();
    expect(await lostPairs(dataDir, writer.lines)).toEqual([]);
  });

  test("the lock of a killed process is no obstacle, and of many starters at once exactly one gets it", async () => {
    useTemplate();
    const rounds = scale(3, 20);
    const outcomes: string[][] = [];
    for (let round = 0; round < rounds; round++) {
      const programs = Array.from({ length: 3 }, () => startProgram("hold-database", { DATA_DIR: dataDir }));

      const starts = programs.map(({ says }) =>
        says("open").then(
          () => "open",
          () => "refused",
        ),
      );
      outcomes.push((await Promise.all(starts)).toSorted());
      await Promise.all(programs.map(({ kill }) => kill()));
    }
    const sound = outcomes.filter((outcome) => outcome.join() === "open,refused,refused").length;
    reportBar({
      bar: "D3",
      measure: "lock of a killed process taken by exactly one of 3 starters",
      figure: `${sound}/${rounds}`,
      database: "embedded",
      ok: sound === rounds,
    });
    expect(outcomes).toEqual(Array(rounds).fill(["open", "refused", "refused"]));
  });

  test("what was acknowledged survives kill -9, and no transaction is kept by half", async () => {
    useTemplate();
    const rounds = scale(3, 50);
    const lost: string[] = [];
    let acknowledged = 0;
    for (let round = 0; round < rounds; round++) {
      const writer = startProgram("write-pairs", { DATA_DIR: dataDir }, { args: [`round${round}`] });
      await writer.says(`round${round}-0`);
      await sleep(Math.random() * 400);
      await writer.kill();

      lost.push(...(await lostPairs(dataDir, writer.lines)));
      acknowledged += writer.lines.length - 1;
    }
    reportBar({
      bar: "D1",
      measure: `acknowledged transactions lost or halved, of ${acknowledged}, in ${rounds} kills (database)`,
      figure: lost.length,
      database: "embedded",
      ok: lost.length === 0,
    });
    expect(lost).toEqual([]);
  });

  test("every commit is on disk before it is acknowledged: one fsync each", async () => {
    useTemplate();
    const commits = scale(20, 300);
    const trace = join(dataDir, "trace");
    const strace = ["strace", "-f", "-e", "trace=fsync,fdatasync,write", "-o", trace];
    const writer = startProgram("write-pairs", { DATA_DIR: dataDir }, { args: ["pair", String(commits)], under: hasStrace() ? strace : [] });
    const end = await writer.says("end");
    await writer.ended;

    // Where strace is installed, as the kernel sees it.
    const seen = hasStrace() ? syncsBeforeEachAcknowledgement(readFileSync(trace, "utf8")) : null;
    const synced = seen ? seen.filter((syncs) => syncs === 1).length : Number(end.split(" ")[1]);
    const witness = seen ? "strace" : "a counter";
    reportBar({
      bar: "D4",
      measure: `fsync calls before ${commits} acknowledged commits, by ${witness}`,
      figure: synced,
      database: "embedded",
      ok: synced === commits,
    });
    expect(end).toBe(`end ${commits}`);
    if (seen) expect(seen).toEqual(Array(commits).fill(1));
  });

  test("a database of another PostgreSQL is refused and stays as it is, to the byte", async () => {
    useTemplate();
    writeFileSync(join(dataDir, "db/PG_VERSION"), "17\n");
    const before = fingerprint(dataDir);

    const refusal = await openEmbedded(dataDir).then(() => "opened", String);

    const isSame = fingerprint(dataDir) === before;
    const isRefused = refusal.includes(`was written by PostgreSQL 17, and this version of Heard brings ${ENGINE_MAJOR}`);
    const figure = `${isRefused ? "refused" : "not refused"}, ${isSame ? "byte-identical" : "changed"}`;
    reportBar({ bar: "D10", measure: "a directory of PostgreSQL 17", figure, database: "embedded", ok: isRefused && isSame });
    expect([isRefused, isSame], refusal).toEqual([true, true]);
  });

  test("a folder that cannot be used is refused by a sentence, and nothing is written to it", async () => {
    const file = join(dataDir, "file");
    writeFileSync(file, "");
    mkdirSync(join(dataDir, "foreign/db"), { recursive: true });
    writeFileSync(join(dataDir, "foreign/db/thesis.odt"), "");

    await expect(openEmbedded(file)).rejects.toThrow("is not a folder: point DATA_DIR at a folder");
    await expect(openEmbedded(join(file, "below"))).rejects.toThrow("is not a folder: point DATA_DIR at a folder");
    await expect(openEmbedded("/proc/heard")).rejects.toThrow(/: point DATA_DIR at a folder/);
    await expect(openEmbedded(join(dataDir, "foreign"))).rejects.toThrow("holds something that is not Heard's database");
    expect(readdirSync(join(dataDir, "foreign"))).toEqual(["db"]);
  });

  test("a copy made while it runs is a whole database", async () => {
    useTemplate();
    const embedded = await openEmbedded(dataDir);
    await embedded.pglite.exec(`INSERT INTO "Secret" VALUES ('copied', 'yes')`);

    const copy = await embedded.copyTo("before-something");

    await embedded.close();
    expect(copy).toBe(join(dataDir, "backups/before-something"));
    mkdirSync(join(dataDir, "restored"));
    cpSync(copy, join(dataDir, "restored/db"), { recursive: true });
    const restored = await openEmbedded(join(dataDir, "restored"));
    const { rows } = await restored.pglite.query(`SELECT "value" FROM "Secret"`);
    await restored.close();
    expect(rows).toEqual([{ value: "yes" }]);
  });
});

/** The pairs that `writer` said it had written and that are gone, and those of which one half is there. */
async function lostPairs(dataDir: string, said: string[]): Promise<string[]> {
  const { pglite, close } = await openEmbedded(dataDir);
  const { rows } = await pglite.query<{ name: string }>(`SELECT "name" FROM "Secret"`);
  await close();
  const halves = new Set(rows.map(({ name }) => name));
  const kept = new Set([...halves].map((name) => name.slice(0, -2)));
  const half = [...kept].filter((pair) => !(halves.has(`${pair}-a`) && halves.has(`${pair}-b`)));
  const lost = said.filter((line) => line !== "begin" && !kept.has(line));
  return [...lost, ...half];
}

function hasStrace(): boolean {
  return existsSync("/usr/bin/strace");
}

/** How often the program synced before each of its acknowledgements, counted from the one before. */
function syncsBeforeEachAcknowledgement(trace: string): number[] {
  const counts: number[] = [];
  let syncs = 0;
  for (const line of trace.slice(trace.indexOf('write(1, "begin')).split("\n")) {
    // Where another thread runs meanwhile, its end is on a line of its own.
    if (/\b(fsync|fdatasync)(\(\d+\)| resumed>.*\)) += 0/.test(line)) syncs++;
    if (line.includes('write(1, "pair-')) {
      counts.push(syncs);
      syncs = 0;
    }
  }
  return counts;
}

function fingerprint(path: string): string {
  const hash = createHash("sha256");
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }).sort((a, b) =>
    join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1,
  )) {
    const file = join(entry.parentPath, entry.name);
    hash.update(`${file} ${statSync(file).mtimeMs} `);
    if (entry.isFile()) hash.update(readFileSync(file));
  }
  return hash.digest("hex");
}
