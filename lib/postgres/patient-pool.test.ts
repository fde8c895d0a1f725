import type pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { PatientPool } from "./patient-pool.ts";

const server = process.env.TEST_DATABASE_URL ?? "";

let pool: PatientPool;

function aPool(max: number): PatientPool {
  pool = new PatientPool({ connectionString: server, max });
  return pool;
}

afterEach(() => pool?.end());

describe.runIf(server)("who waits for a connection", () => {
  test("waits on while a crowd is being served, longer than for a server that is slow", async () => {
    const crowded = aPool(2);
    const crowd = Array.from({ length: 400 }, () => crowded.query("SELECT pg_sleep(0.01)"));

    const outcomes = await Promise.allSettled(crowd);

    expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
  });

  test("is refused within 2 s where every connection is held up, and what comes for them later is given back", async () => {
    const held = await aPool(2).connect();
    const slow = pool.query("SELECT pg_sleep(2.5)");
    const askedAt = performance.now();

    const refused = await Promise.allSettled([pool.query("SELECT 1"), pool.connect()]);

    expect(performance.now() - askedAt).toBeLessThan(2000);
    expect(refused.map((outcome) => outcome.status === "rejected" && outcome.reason.message)).toEqual(Array(2).fill("timeout exceeded when trying to connect"));
    held.release();
    await slow;
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    expect([pool.waitingCount, pool.idleCount]).toEqual([0, pool.totalCount]);
  });

  test("is not refused for what this process has to do meanwhile", async () => {
    const client: pg.PoolClient = await aPool(1).connect();
    const waiting = pool.query("SELECT 1 AS one");
    const busy = setInterval(() => {
      const until = performance.now() + 700;
      while (performance.now() < until);
    }, 10);
    setTimeout(() => client.release(), 1500);

    const { rows } = await waiting.finally(() => clearInterval(busy));

    expect(rows).toEqual([{ one: 1 }]);
  });

  test("hears at once that the server is not there", async () => {
    pool = new PatientPool({ connectionString: "postgresql://nobody@127.0.0.1:1/none", max: 2 });

    await expect(pool.query("SELECT 1")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});
