import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Gate, openGate } from "#lib/testing/gate";
import { createDatabase, databaseIn, dropDatabase, runOn } from "#lib/testing/postgres";
import { createPool } from "../postgres.ts";
import { MAX_WAIT_MS, PatientPool } from "./patient-pool.ts";
import { TimelyClient } from "./timely-client.ts";

const server = process.env.TEST_DATABASE_URL ?? "";

let pool: pg.Pool;
let gate: Gate | undefined;

/** A pool of `max` connections, on the way that `through` leads. */
function aPool(max: number, through?: Gate): pg.Pool {
  const url = new URL(server);
  if (through) url.host = `127.0.0.1:${through.port}`;
  pool = new PatientPool({ connectionString: url.href, max, Client: TimelyClient });
  pool.on("error", () => {});
  return pool;
}

/** What becomes of a wait, and after how long. */
function outcomeAfter(askedAt: number) {
  const outcome = (isRefused: boolean) => () => ({ isRefused, ms: performance.now() - askedAt });
  return [outcome(false), outcome(true)] as const;
}

/** Keeps this process from everything else. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

afterEach(async () => {
  await pool?.end();
  gate?.shut();
  gate = undefined;
});

describe.runIf(server)("who waits for a connection", () => {
  test("waits on while a crowd is being served, longer than for a server that is slow", async () => {
    const crowded = aPool(2);
    const crowd = Array.from({ length: 400 }, () => crowded.query("SELECT pg_sleep(0.01)"));

    const outcomes = await Promise.allSettled(crowd);

    expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
  });

  test("waits on while others are served one after another", async () => {
    const crowded = aPool(10);
    const lock = randomInt(2 ** 32);
    const crowd = Array.from({ length: 30 }, () => crowded.query(`SELECT pg_advisory_xact_lock(${lock}), pg_sleep(0.15)`));

    const outcomes = await Promise.allSettled(crowd);

    expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
  });

  test("is refused by a server that is slow, though connections are handed on at times", async () => {
    gate = await openGate(new URL(server));
    const far = aPool(2, gate);
    const ask = () => far.query("SELECT 1");
    await Promise.all([ask(), ask()]);
    gate.slowDown(800);
    const first = ask();
    await sleep(800);
    const second = ask();
    const askedAt = performance.now();

    const waits = await Promise.all(Array.from({ length: 10 }, () => ask().then(...outcomeAfter(askedAt))));

    const refused = waits.filter(({ isRefused }) => isRefused);
    expect(refused.length).toBeGreaterThan(5);
    // It would take 8 s to serve them all.
    expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(4000);
    await Promise.all([first, second]);
  });

  test("is refused at once by a server that is known to answer nobody, until it answers again", async () => {
    gate = await openGate(new URL(server));
    pool = createPool({ connectionString: Object.assign(new URL(server), { host: `127.0.0.1:${gate.port}` }).href });
    await pool.query("SELECT 1");
    gate.stall();
    const ask = () => pool.query("SELECT 1").then(...outcomeAfter(performance.now()));
    const first = await ask();
    const later = [await ask(), await ask(), await ask()];

    expect([first, ...later].map(({ isRefused }) => isRefused)).toEqual([true, true, true, true]);
    // The first is waited for longer than a second.
    expect(Math.max(...later.map(({ ms }) => ms))).toBeLessThan(500);
    await gate.open();
    await vi.waitFor(async () => expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]), { timeout: 5000, interval: 50 });
  });

  test("is refused once the server is known to answer nobody, however short it has waited", async () => {
    gate = await openGate(new URL(server));
    gate.stall();
    const asked = aPool(1, gate)
      .query("SELECT 1")
      .then(...outcomeAfter(performance.now()));

    (pool as PatientPool).noteSilence();

    const { isRefused, ms } = await asked;
    expect(isRefused).toBe(true);
    expect(ms).toBeLessThan(500);
  });

  test("is refused where every connection is held up, and what comes for them later is given back", async () => {
    const [held, sleeper] = await Promise.all([aPool(2).connect(), pool.connect()]);
    const slow = sleeper.query("SELECT pg_sleep(4)").finally(() => sleeper.release());

    const refused = await Promise.allSettled([pool.query("SELECT 1"), pool.connect()]);

    expect(refused.map((outcome) => outcome.status === "rejected" && outcome.reason.message)).toEqual(Array(2).fill("timeout exceeded when trying to connect"));
    expect(pool.waitingCount).toBe(0);
    held.release();
    await slow;
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    expect([pool.waitingCount, pool.idleCount]).toEqual([0, pool.totalCount]);
  });

  test("is not refused for what this process has to do meanwhile", async () => {
    const client: pg.PoolClient = await aPool(1).connect();
    const waiting = pool.query("SELECT 1 AS one");
    const busy = setInterval(() => work(700), 10);
    setTimeout(() => client.release(), 1500);

    const { rows } = await waiting.finally(() => clearInterval(busy));

    expect(rows).toEqual([{ one: 1 }]);
  });

  test("is not refused where this process is too busy to hear that it is connected", async () => {
    pool = createPool({ connectionString: server });
    const waiting = pool.query("SELECT 1 AS one");
    // At the end of each turn: whatever is due by the clock is called before what has arrived is read.
    let busy = setImmediate(function again() {
      work(2000);
      busy = setImmediate(again);
    });

    const { rows } = await waiting.finally(() => clearImmediate(busy));

    expect(rows).toEqual([{ one: 1 }]);
  });

  test("is refused in the end, also where a crowd is being served", async () => {
    const crowded = aPool(1);
    const crowd = Array.from({ length: 400 }, () => crowded.query("SELECT pg_sleep(0.01)"));
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + MAX_WAIT_MS);
    onTestFinished(() => clock.mockRestore());

    const outcomes = await Promise.allSettled(crowd);

    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.message] : []));
    expect(new Set(refused)).toEqual(new Set(["timeout exceeded when trying to connect"]));
    expect(refused.length).toBeLessThan(crowd.length);
  });

  test("waits for one that is there where the server lets nobody more in, and is told at once where there is none", async () => {
    const url = await createDatabase(server);
    onTestFinished(() => dropDatabase(url));
    pool = new PatientPool({ connectionString: url, max: 4 });
    pool.on("error", () => {});
    await pool.query("SELECT 1");
    await runOn(server, `ALTER DATABASE "${databaseIn(url)}" ALLOW_CONNECTIONS false`);

    const crowd = await Promise.allSettled(Array.from({ length: 8 }, () => pool.query("SELECT pg_sleep(0.05)")));
    await runOn(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${databaseIn(url)}'`);
    await vi.waitFor(() => expect(pool.totalCount).toBe(0));
    const askedAt = performance.now();

    expect(crowd.filter(({ status }) => status === "rejected")).toEqual([]);
    await expect(pool.query("SELECT 1")).rejects.toMatchObject({ code: "55000" });
    expect(performance.now() - askedAt).toBeLessThan(900);
  });

  test("hears at once that the server is not there", async () => {
    pool = new PatientPool({ connectionString: "postgresql://nobody@127.0.0.1:1/none", max: 2 });

    await expect(pool.query("SELECT 1")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});

test.runIf(server)("a connection that the server ends while somebody has it is told to whoever asks it next, and to nobody else", async () => {
  const client = await aPool(2).connect();
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const ended = new Promise((resolve) => client.once("end", resolve));
  await pool.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
  await ended;

  await expect(client.query("SELECT 1")).rejects.toThrow();

  client.release(true);
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});
