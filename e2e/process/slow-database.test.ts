import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { type Gate, openGate } from "#lib/testing/gate";
import { isFullScale, scale } from "#lib/testing/scale";
import { startSite, type TestSite } from "../site.ts";
import { METRICS_TOKEN, readFigures } from "./figures.ts";

const postgres = process.env.TEST_DATABASE_URL;
const template = inject("databaseTemplate");
const CALLERS = scale(30, 200);
const PATHS = ["/api/v1/boards", "/api/v1/settings/site", "/"];

let gate: Gate;
let site: TestSite;

beforeEach(async () => {
  if (!postgres) return;
  gate = await openGate(new URL(postgres));
  // What is answered from memory waits for no database.
  site = await startSite({ template, through: gate.port, env: { METRICS_TOKEN, KEPT_ANSWERS_MB: "0" } });
  // Connections and code are there before anything is measured.
  for (const path of PATHS) await Promise.all(Array.from({ length: 10 }, () => statusOf(path)));
  await readFigures(site.url, METRICS_TOKEN);
});

afterEach(async () => {
  await site?.remove();
  gate?.shut();
});

async function statusOf(path: string): Promise<number> {
  const answer = await fetch(site.url + path);
  await answer.text();
  return answer.status;
}

/** What many callers, who come within a second and wait together, get from pages and API, and how long the slowest waited. */
async function callAll(): Promise<{ statuses: number[]; slowestMs: number }> {
  const times: number[] = [];
  const calls = Array.from({ length: CALLERS }, async (_, index) => {
    await sleep((index / CALLERS) * 1000);
    const askedAt = performance.now();
    const status = await statusOf(PATHS[index % PATHS.length] ?? "/");
    times.push(performance.now() - askedAt);
    return status;
  });
  const statuses = [...new Set(await Promise.all(calls))];
  return { statuses, slowestMs: Math.round(Math.max(...times)) };
}

async function isBackWithin(ms: number): Promise<void> {
  await gate.open();
  await vi.waitFor(async () => expect(await statusOf("/")).toBe(200), { timeout: ms, interval: 50 });
}

test.runIf(postgres)("F2: with 2 s on every answer of the database nobody waits long, and the process stays quick", { timeout: 120_000 }, async () => {
  gate.slowDown(2000);
  const rounds = [await callAll(), await callAll(), await callAll()];
  const slowestMs = Math.max(...rounds.map((round) => round.slowestMs));
  gate.slowDown(0);
  await isBackWithin(isFullScale ? 10_000 : 60_000);
  const lagMs = Math.round(((await readFigures(site.url, METRICS_TOKEN)).figure("heard_event_loop_lag_seconds", { quantile: "0.99" }) ?? 1) * 1000);

  reportBar({
    bar: "F2",
    measure: `database 2 s away, ${CALLERS} callers three times: slowest answer, ms; event loop late by (p99), ms`,
    figure: `${slowestMs}; ${lagMs}`,
    ok: slowestMs <= 5000 && lagMs < 100,
  });
  for (const { statuses } of rounds) expect([200, 503]).toEqual(expect.arrayContaining(statuses));
  if (isFullScale) expect(slowestMs).toBeLessThanOrEqual(5000);
  expect(await site.stop()).toBe(0);
});

test.runIf(postgres)("a database that takes what it is sent and answers nothing costs a clear error within 2 s", { timeout: 120_000 }, async () => {
  gate.stall();
  const first = await callAll();
  const second = await callAll();
  await isBackWithin(isFullScale ? 10_000 : 60_000);

  const slowestMs = Math.max(first.slowestMs, second.slowestMs);
  reportBar({
    bar: "F2",
    measure: `database silent, ${CALLERS} callers twice: slowest 503, ms`,
    figure: slowestMs,
    ok: slowestMs <= 2000,
  });
  expect([first.statuses, second.statuses]).toEqual([[503], [503]]);
  if (isFullScale) expect(slowestMs).toBeLessThanOrEqual(2000);
  expect(await site.stop()).toBe(0);
});

test.runIf(postgres)("with a database that answers nothing a stop ends within 10 s all the same", { timeout: 60_000 }, async () => {
  gate.stall();
  await callAll();
  const signalledAt = performance.now();

  expect(await site.stop()).toBe(0);
  if (isFullScale) expect(performance.now() - signalledAt).toBeLessThan(10_000);
});

test.runIf(postgres)(
  "connections that the way to the database has forgotten are given up, and the site goes on with fresh ones",
  { timeout: 120_000 },
  async () => {
    gate.forget();

    const { statuses, slowestMs } = await callAll();

    reportBar({
      bar: "F2",
      measure: `connections forgotten on their way, ${CALLERS} callers: slowest answer, ms`,
      figure: slowestMs,
      ok: slowestMs <= 10_000,
    });
    expect([200, 503]).toEqual(expect.arrayContaining(statuses));
    if (isFullScale) expect(slowestMs).toBeLessThanOrEqual(10_000);
    expect((await callAll()).statuses).toEqual([200]);
    expect(await site.stop()).toBe(0);
  },
);
