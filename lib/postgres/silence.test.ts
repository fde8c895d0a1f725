import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { type Gate, openGate } from "#lib/testing/gate";
import { isAtWork } from "./backend.ts";
import { endSilentConnections, withoutHaste } from "./silence.ts";

const server = process.env.TEST_DATABASE_URL ?? "";

let pool: pg.Pool | undefined;
let gate: Gate | undefined;

/** A pool whose silent connections are ended, on the way that `through` leads. */
function aPool(through?: Gate): pg.Pool {
  const url = new URL(server);
  if (through) url.host = `127.0.0.1:${through.port}`;
  const opened = new pg.Pool({ connectionString: url.href, max: 2 });
  pool = opened;
  opened.on("error", () => {});
  endSilentConnections(opened);
  return opened;
}

afterEach(async () => {
  gate?.shut();
  gate = undefined;
  await pool?.end();
  pool = undefined;
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

  test("is ended when the server answers everybody but it", async () => {
    gate = await openGate(new URL(server));
    const used = aPool(gate);
    const client = await used.connect();
    client.on("error", () => {});
    gate.forget();

    await expect(client.query("SELECT 1")).rejects.toThrow();
    client.release(true);
    expect((await used.query("SELECT 1 AS done")).rows[0]?.done).toBe(1);
  });

  test("is ended when the server is at one statement for longer than any may take, and let be by who has time", async () => {
    const long = "SELECT pg_sleep(9), 1 AS done";
    const [hasty, patient] = [aPool(), aPool()];
    await expect(hasty.query(long)).rejects.toThrow();
    await hasty.end();

    const { rows } = await withoutHaste(() => patient.query(long));

    expect(rows[0]?.done).toBe(1);
  });
});

describe.runIf(server)("the server's process behind a connection", () => {
  const pidOf = async (client: pg.ClientBase): Promise<number> => (await client.query("SELECT pg_backend_pid() AS pid")).rows[0].pid;
  const address = () => ({ connectionString: server });

  test("is at work on what it was asked, and on nothing when it has answered or is gone", async () => {
    const client = await aPool().connect();
    const pid = await pidOf(client);
    expect(await isAtWork(address(), pid, 1000)).toBe(false);

    const sleeping = client.query("SELECT pg_sleep(1)");
    await expect.poll(() => isAtWork(address(), pid, 60_000)).toBe(true);
    expect(await isAtWork(address(), pid, 0)).toBe(false);
    await sleeping;
    client.release(true);

    await expect.poll(() => isAtWork(address(), pid, 60_000)).toBe(false);
  });

  test("is at work on nothing while it cannot get rid of its answer", async () => {
    const used = aPool();
    const client = await used.connect();
    const pid = await pidOf(client);
    client.on("error", () => {});
    const { stream } = (client as unknown as { connection: { stream: { pause(): void; destroy(): void } } }).connection;
    stream.pause();
    const asked = client.query("SELECT repeat('x', 1000000) FROM generate_series(1, 100)").catch(() => {});
    const waitsFor = async () => (await used.query("SELECT wait_event FROM pg_stat_activity WHERE pid = $1 AND state = 'active'", [pid])).rows[0]?.wait_event;
    await expect.poll(waitsFor).toBe("ClientWrite");

    expect(await isAtWork(address(), pid, 60_000)).toBe(false);
    stream.destroy();
    await asked;
    client.release(true);
  });

  test("cannot be known where the server keeps no account of it", async () => {
    const client = await aPool().connect();
    const pid = await pidOf(client);
    await client.query("SET track_activities = off");

    expect(await isAtWork(address(), pid, 60_000)).toBeNull();
    client.release(true);
  });

  test("cannot be known where nobody is let in to ask", async () => {
    expect(await isAtWork({ ...address(), connectionString: "postgresql://postgres@127.0.0.1:1/postgres" }, 1, 1000)).toBeNull();
  });
});
