import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "#front/listen";
import { openEmbedded } from "#lib/embedded";
import { BLANK_SITE } from "#lib/embedded/blank";
import { reportBar } from "#lib/testing/bars";
import { NODE_FLAGS } from "#lib/testing/node-flags";
import { isFullScale } from "#lib/testing/scale";
import { emptySettings } from "#lib/testing/settings";
import { anEmptyPlace, database } from "./places.ts";

const MAX_MS = 5000;
const STOP_WITHIN_MS = 20_000;

test("O1: npm start, once built, shows the wizard of a new site within 5 s, from nothing but an empty folder, and an empty database where one is named", {
  timeout: 120_000,
}, async () => {
  const [port, { dataDir, databaseUrl }] = [await freePort(), await anEmptyPlace()];
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV$|NODE_OPTIONS$|NODE_COMPILE_CACHE$)/.test(name));
  const env = {
    ...Object.fromEntries(kept),
    ...emptySettings(),
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
  } as unknown as NodeJS.ProcessEnv;
  const startedAt = performance.now();
  const child = spawn("npm", ["start"], { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    const cut = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
    await ended;
    clearTimeout(cut);
  });

  let status = 0;
  while (status !== 200 && child.exitCode === null && performance.now() - startedAt < 30_000) {
    await sleep(20);
    status = await fetch(`http://127.0.0.1:${port}/setup`, { signal: AbortSignal.timeout(30_000) }).then(
      (page) => page.status,
      () => 0,
    );
  }
  const tookMs = Math.round(performance.now() - startedAt);
  child.kill("SIGTERM");

  reportBar({ bar: "O1", measure: "npm start, built, in an empty folder: the wizard after, ms", figure: tookMs, ok: tookMs <= MAX_MS });
  expect([status, await ended, said]).toEqual([200, 0, expect.not.stringContaining("Building")]);
  // One that the engine made, for which it takes seconds, would have a number of its own, and one without tables would be migrated, for a second more.
  if (database === "embedded") expect([systemNumber(join(dataDir, "db")), said]).toEqual([systemNumber(BLANK_SITE), expect.not.stringContaining("Migrating")]);
  if (isFullScale) expect(tookMs).toBeLessThanOrEqual(MAX_MS);
});

test.skipIf(process.env.TEST_DATABASE_URL).for([0, 200, 500, 1000])(
  "a first start that is told to stop %i ms into making its database ends with 0, and says nothing of a failure",
  { timeout: 60_000 },
  async (ms) => {
    const dataDir = mkdtempSync(join(tmpdir(), "heard-e2e-"));
    const env = { ...process.env, ...emptySettings(), NODE_ENV: "production" as const, PORT: "0", DATA_DIR: dataDir };
    const child = spawn(process.execPath, [...NODE_FLAGS, "front/main.ts"], { env, stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await rm(dataDir, { recursive: true });
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    while (!existsSync(join(dataDir, "db"))) await sleep(5);
    await sleep(ms);

    child.kill("SIGTERM");
    const stoppedAt = performance.now();

    expect([await ended, said]).toEqual([0, expect.not.stringMatching(/cannot|"level":[56]0/)]);
    expect(performance.now() - stoppedAt).toBeLessThan(STOP_WITHIN_MS);
  },
);

test.skipIf(process.env.TEST_DATABASE_URL)(
  "what every new site is a copy of has its tables, and nothing in them that they would share",
  { timeout: 60_000 },
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "heard-e2e-"));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    const { pglite, close } = await openEmbedded(dataDir, BLANK_SITE);
    onTestFinished(close);

    const { rows: tables } = await pglite.query<{ name: string }>("SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'");
    const filled: string[] = [];
    for (const { name } of tables) if ((await pglite.query(`SELECT 1 FROM ${name} LIMIT 1`)).rows.length > 0) filled.push(name);

    const { rows: queues } = await pglite.query("SELECT name FROM pgboss.queue");

    expect([tables.length, queues.length]).toEqual([expect.toSatisfy((count: number) => count > 10), expect.toSatisfy((count: number) => count > 1)]);
    expect(filled).toEqual(["_prisma_migrations"]);
  },
);

/** What PostgreSQL calls a database by that it made, and all copies of it: the first eight bytes of its control file. */
function systemNumber(directory: string): bigint {
  return readFileSync(join(directory, "global", "pg_control")).readBigUInt64LE();
}
