import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { apiOf } from "../api/client.ts";
import { startServer, type TestServer } from "../server.ts";
import { startSite } from "../site.ts";
import { countRows } from "../stored.ts";
import { runToEnd } from "./run.ts";
import { type Acknowledged, findDamage, nothingAcknowledged, startWriters, writtenBy } from "./writers.ts";

const KILLS = scale(2, 50);
const STOPS = scale(2, 30);
const NO_DAMAGE = {
  lost: 0,
  usersWithoutSession: 0,
  usersWithoutLetter: 0,
  usersWithoutLink: 0,
  lettersWithoutJob: 0,
  boardsWithoutAddress: 0,
  driftedCounters: 0,
};

const template = inject("databaseTemplate");
const database = process.env.TEST_DATABASE_URL ? "postgresql" : "embedded";

type End = { code: number | null; ms: number };

/** Starts, writes and ends a site again and again on the same data, each time by `signal` and amid the writes. */
async function endRepeatedly(rounds: number, signal: NodeJS.Signals): Promise<{ server: TestServer; acknowledged: Acknowledged; ends: End[] }> {
  const site = await startSite({ template });
  onTestFinished(site.remove);
  const acknowledged = nothingAcknowledged();
  const ends: End[] = [];
  let server: TestServer = site;
  for (let round = 0; round < rounds; round++) {
    if (round > 0) server = await startServer({ from: site });
    onTestFinished(server.remove);
    const api = apiOf(server.url);
    const writers = startWriters(api, site.owner.authToken, acknowledged);
    // However slow the machine, something has been acknowledged by then, and more is under way.
    const before = writtenBy(acknowledged);
    await vi.waitFor(() => expect(writtenBy(acknowledged)).toBeGreaterThan(before + 1), { timeout: 30_000, interval: 20 });
    await sleep(Math.random() * 1500);
    const askedAt = Date.now();
    const code = await server.stop(signal);
    ends.push({ code, ms: Date.now() - askedAt });
    await writers.done;
    await api.close();
  }
  return { server, acknowledged, ends };
}

test(`D1, D3: after ${KILLS} kills amid writes nothing acknowledged is lost, nothing is there by halves, and the next start needs no help`, {
  timeout: KILLS * 60_000,
}, async () => {
  const { server, acknowledged } = await endRepeatedly(KILLS, "SIGKILL");

  // What a crash left behind is recovered by a start, as an operator would.
  const last = await startServer({ from: server });
  onTestFinished(last.remove);
  const stopCode = await last.stop();
  const damage = await findDamage(last, acknowledged);
  const written = writtenBy(acknowledged);
  const ok = JSON.stringify(damage) === JSON.stringify(NO_DAMAGE);
  reportBar({
    bar: "D1",
    measure: `acknowledged writes lost, of ${written}, in ${KILLS} kills; half transactions`,
    figure: `${damage.lost}; ${sum(damage) - (damage.lost ?? 0)}`,
    ok,
  });
  // A start that needs help fails the test before this.
  if (database === "embedded") reportBar({ bar: "D3", measure: "starts after kill -9 that needed no help", figure: `${KILLS}/${KILLS}`, ok: true });

  expect(damage).toEqual(NO_DAMAGE);
  expect([written > KILLS, stopCode]).toEqual([true, 0]);
});

test(`D12: SIGTERM amid writes, ${STOPS} times, loses nothing acknowledged and ends with 0`, { timeout: STOPS * 60_000 }, async () => {
  const { server, acknowledged, ends } = await endRepeatedly(STOPS, "SIGTERM");

  const damage = await findDamage(server, acknowledged);
  const slowestMs = Math.max(...ends.map(({ ms }) => ms));
  const codes = [...new Set(ends.map(({ code }) => code))];
  const written = writtenBy(acknowledged);
  const ok = damage.lost === 0 && codes.join() === "0" && slowestMs <= 10_000;
  reportBar({
    bar: "D12",
    measure: `acknowledged writes lost, of ${written}, in ${STOPS} stops; exit codes; slowest stop`,
    figure: `${damage.lost}; ${codes}; ${slowestMs} ms`,
    ok,
  });

  expect(damage).toEqual(NO_DAMAGE);
  expect([written > STOPS, codes]).toEqual([true, [0]]);
  expect(slowestMs).toBeLessThanOrEqual(10_000);
});

test("a letter that somebody was told of is written, though the server is stopped right after", async () => {
  const site = await startSite({ template });
  onTestFinished(site.remove);
  const { status } = await fetch(`${site.url}/api/v1/auth/password/reset`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: site.owner.email }),
  });

  expect([status, await site.stop()]).toEqual([200, 0]);

  expect(await countRows(site, { letters: `"Mail" WHERE "letter" = 'reset-password'` })).toEqual({ letters: 1 });
});

test("Ctrl-C ends the server with 0, and twice is as good as once", async () => {
  const server = await startServer({ template });
  onTestFinished(server.remove);
  process.kill(server.pid, "SIGINT");

  expect(await server.stop("SIGINT")).toBe(0);
});

test.runIf(database === "embedded")("an end that is not clean is told as one, and by its code", async () => {
  const server = await startServer({ template });
  onTestFinished(server.remove);
  const holderPath = join(server.dataDir, "heard.holder.json");
  rmSync(holderPath);
  mkdirSync(holderPath);

  const code = await server.stop();

  expect([code, server.logs()]).toEqual([1, expect.stringContaining('"Heard did not end cleanly"')]);
});

test.runIf(database === "embedded")("D2: a second server on a live data directory ends at once, naming the first, which keeps every write", async () => {
  const site = await startSite({ template });
  onTestFinished(site.remove);
  const api = apiOf(site.url, { token: site.owner.authToken });
  const write = () => api.post("/boards", { name: "Kept" });
  await write();

  const refusals = await Promise.all([1, 2].map(() => runToEnd("front/main.ts", { PORT: "0", DATA_DIR: site.dataDir })));

  const statuses = [(await write()).status, (await write()).status];
  await api.close();
  const code = await site.stop();
  const { boards } = await countRows(site, { boards: '"Board"' });
  const slowestMs = Math.max(...refusals.map(({ ms }) => ms));
  const isNamed = refusals.every(({ output }) => new RegExp(`\\b${site.pid}\\b`).test(output));
  reportBar({
    bar: "D2",
    measure: "second server on a live directory: exit codes, names the holder, slowest; writes of the first kept",
    figure: `${refusals.map((refusal) => refusal.code)}, ${isNamed}, ${slowestMs} ms; ${boards}/3`,
    ok: isNamed && slowestMs <= 5000 && boards === 3,
  });

  expect([refusals.map((refusal) => refusal.code), isNamed, statuses, code, boards]).toEqual([[1, 1], true, [201, 201], 0, 3]);
  expect(slowestMs).toBeLessThanOrEqual(5000);
  for (const { output } of refusals) expect(output).not.toMatch(/\n\s+at /);
});

function sum(numbers: Record<string, number>): number {
  return Object.values(numbers).reduce((total, number) => total + number, 0);
}
