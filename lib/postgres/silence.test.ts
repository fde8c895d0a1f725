import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { type Gate, openGate } from "#lib/testing/gate";
import { endSilentConnections } from "./silence.ts";

const server = process.env.TEST_DATABASE_URL ?? "";

let pool: pg.Pool;
let gate: Gate | undefined;

/** A pool whose silent connections are ended, on the way that `through` leads. */
function aPool(through?: Gate): pg.Pool {
  const url = new URL(server);
  if (through) url.host = `127.0.0.1:${through.port}`;
  pool = new pg.Pool({ connectionString: url.href, max: 2 });
  pool.on("error", () => {});
  endSilentConnections(pool);
  return pool;
}

afterEach(async () => {
  gate?.shut();
  gate = undefined;
  await pool?.end();
});

describe.runIf(server)("a connection in use", () => {
  test("is let be by a server that answers, also while this process has its hands full", async () => {
    const busy = setInterval(() => {
      const until = performance.now() + 700;
      while (performance.now() < until);
    }, 10);

    const { rows } = await aPool()
      .query("SELECT pg_sleep(3), 1 AS done")
      .finally(() => clearInterval(busy));

    expect(rows[0]?.done).toBe(1);
  });

  test("is ended when the server says nothing any more", async () => {
    gate = await openGate(new URL(server));
    const client = await aPool(gate).connect();
    client.on("error", () => {});
    gate.stall();

    await expect(client.query("SELECT 1")).rejects.toThrow();
    client.release(true);
  });

  test("is ended when the server is gone and the way to it is not", async () => {
    gate = await openGate(new URL(server));
    const client = await aPool(gate).connect();
    client.on("error", () => {});
    gate.stall();
    const query = client.query("SELECT 1");
    setTimeout(() => gate?.shut(), 100);

    await expect(query).rejects.toThrow();
    client.release(true);
  });
});
