import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { type Embedded, openEmbedded } from "#lib/embedded";
import { ENOUGH_BYTES, LOG_FILE_BYTES, RESERVE_BYTES } from "#lib/embedded/room";
import { log } from "#lib/log";
import { startProgram } from "#lib/testing/processes";

/** Each round writes 16 MiB through to the disk. */
const PATIENCE = { timeout: 20_000 };

const room = vi.hoisted(() => ({ free: Number.MAX_SAFE_INTEGER }));

vi.mock("#lib/embedded/room", async (original) => ({ ...(await original<typeof import("#lib/embedded/room")>()), freeBytes: () => room.free }));

describe.skipIf(process.env.TEST_DATABASE_URL)("the embedded engine", () => {
  let dataDir: string;
  let embedded: Embedded | undefined;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "heard-engine-"));
    cpSync(inject("databaseTemplate"), join(dataDir, "db"), { recursive: true });
  });
  afterEach(async () => {
    vi.useRealTimers();
    room.free = Number.MAX_SAFE_INTEGER;
    await embedded?.close();
    embedded = undefined;
    rmSync(dataDir, { recursive: true });
  });

  const open = async () => {
    embedded = await openEmbedded(dataDir);
    return embedded;
  };
  const names = async () => (await embedded?.pglite.query<{ name: string }>(`SELECT "name" FROM "Secret" ORDER BY "name"`))?.rows.map(({ name }) => name);
  const write = (name: string) => `INSERT INTO "Secret" VALUES ('${name}', '')`;
  const full = { code: "53100", message: expect.stringContaining("is full: nothing is written to it") };

  test("takes no writes where little room is left, is read all the same, and takes them again when there is more", async () => {
    const { pglite } = await open();
    await pglite.exec(write("1 before"));

    room.free = RESERVE_BYTES - 1;
    await expect(pglite.exec(write("2 full"))).rejects.toMatchObject(full);
    await expect(pglite.query(`WITH gone AS (DELETE FROM "Secret" RETURNING 1) SELECT * FROM gone`)).rejects.toMatchObject(full);
    await expect(pglite.transaction((tx) => tx.exec(write("2 full")))).rejects.toMatchObject(full);
    expect(await names()).toEqual(["1 before"]);
    room.free = ENOUGH_BYTES - 1;
    await expect(pglite.exec(write("2 full"))).rejects.toMatchObject(full);
    room.free = ENOUGH_BYTES;
    await pglite.exec(write("3 after"));

    expect(await names()).toEqual(["1 before", "3 after"]);
  });

  test("reads arrays of whatever there is, but of rows, which it gives as they are written", async () => {
    const { pglite } = await open();
    const arrays = `ARRAY[1, NULL] AS ints, ARRAY['a', 'b,c'] AS texts, ARRAY[true] AS flags, ARRAY['2026-01-02T03:04:05Z'::timestamptz] AS times,
      ARRAY['00000000-0000-7000-8000-000000000001'::uuid] AS ids, ARRAY['OWNER'::"Role"] AS roles, ARRAY[ROW('x', 'y', now())::"Secret"] AS rows`;

    const { rows } = await pglite.query(`SELECT ${arrays}`);

    expect(rows).toEqual([
      {
        ints: [1, null],
        texts: ["a", "b,c"],
        flags: [true],
        times: [new Date("2026-01-02T03:04:05Z")],
        ids: ["00000000-0000-7000-8000-000000000001"],
        roles: ["OWNER"],
        rows: expect.stringContaining("(x,y,"),
      },
    ]);
  });

  test("undoes the whole of a transaction in which the room runs out, and takes none that comes then", async () => {
    const { pglite } = await open();

    const transaction = pglite.transaction(async (tx) => {
      await tx.exec(write("half"));
      room.free = RESERVE_BYTES - 1;
      await tx.exec(write("other half"));
    });

    await expect(transaction).rejects.toMatchObject(full);
    await expect(pglite.exec(write("next"))).rejects.toMatchObject(full);
    expect(await names()).toEqual([]);
  });

  test("says nothing of the disk where a transaction is to read only by its own will", async () => {
    const { pglite } = await open();

    const transaction = pglite.transaction(async (tx) => {
      await tx.exec("SET TRANSACTION READ ONLY");
      await tx.exec(write("unasked"));
    });

    await expect(transaction).rejects.toMatchObject({ code: "25006" });
  });

  test("is not started on a full disk, nor copied where the copy would fill it", async () => {
    const { pglite, copyTo } = await open();
    room.free = RESERVE_BYTES + 1_000_000;
    await expect(copyTo("before-something")).rejects.toThrow(/^the disk has 68 MB left, and a copy of the database needs \d+ MB$/);
    await pglite.exec(write("still open"));
    await embedded?.close();
    embedded = undefined;

    room.free = RESERVE_BYTES - 1;
    await expect(openEmbedded(dataDir)).rejects.toThrow(`The disk that holds ${dataDir} is full (67 MB are left, and Heard needs 67 MB): make room there`);
    await expect(openEmbedded(join(dataDir, "new"))).rejects.toThrow("and Heard needs 134 MB)");

    expect(existsSync(join(dataDir, "backups/before-something.partial"))).toBe(false);
    expect(readdirSync(join(dataDir, "new"))).toEqual([]);
  });

  test("keeps its log short, and files of it ready for when the disk is full", { timeout: 120_000 }, async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { pglite } = await open();
    const files = () => readdirSync(join(dataDir, "db/pg_wal")).filter((name) => name.length === 24);
    const spare = async () => {
      const { rows } = await pglite.query<{ current: string }>("SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS current");
      return files().filter((name) => name > (rows[0]?.current ?? "")).length;
    };

    vi.advanceTimersByTime(60_000);
    await vi.waitFor(async () => expect(await spare()).toBeGreaterThanOrEqual(2), PATIENCE);
    const lengths: number[] = [];
    for (let file = 0; file < 12; file++) {
      await pglite.query("SELECT pg_logical_emit_message(false, 'test', repeat('x', $1::int))", [LOG_FILE_BYTES]);
      vi.advanceTimersByTime(60_000);
      await vi.waitFor(async () => expect(await spare()).toBeGreaterThanOrEqual(1), PATIENCE);
      lengths.push(files().length);
    }

    expect(Math.max(...lengths)).toBeLessThanOrEqual(10);
  });

  test("is closed after the upkeep that runs, and not under it", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const warned = vi.spyOn(log, "warn");
    const { close } = await open();

    vi.advanceTimersByTime(60_000);
    await close();
    embedded = undefined;
    await sleep(100);

    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  test.for([
    ["beside", "its log cannot be synced: EIO"],
    ["within", "could not fsync file"],
    ["log within", "its log cannot be synced: EIO"],
  ] as const)(
    "takes the process along when the disk fails %s, saying why, and has kept what it acknowledged",
    { timeout: 120_000 },
    async ([where, reason]) => {
      const program = startProgram("failing-disk", { DATA_DIR: dataDir, LOG_LEVEL: "fatal" }, { args: [where] });
      await program.says("written");

      const { code, errors } = await program.ended;

      expect([code, JSON.parse(errors)]).toEqual([1, expect.objectContaining({ level: 60, reason: expect.stringContaining(reason) })]);
      await open();
      expect(await names()).toContain("before");
    },
  );
});
