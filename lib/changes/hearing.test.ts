import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { dataVersion, stopHearing } from "#lib/changes";
import { type Driver, openDriver } from "#lib/db";
import { env } from "#lib/env";
import { createPool, readServer } from "#lib/postgres";
import { useDatabase } from "#lib/testing/database";
import { type Gate, openGate } from "#lib/testing/gate";
import { withDatabase } from "#lib/testing/postgres";
import { HEARD_WITHIN_MS, startHearing } from "./hearing.ts";

useDatabase();

const { TEST_DATABASE_URL: server = "" } = process.env;

describe.runIf(server)("the line on which PostgreSQL tells of changes", { timeout: 60_000 }, () => {
  let gate: Gate;
  let driver: Extract<Driver, { kind: "postgresql" }>;
  let direct: Pick<typeof driver, "server" | "pool">;
  beforeEach(async () => {
    gate = await openGate(new URL(server));
    driver = (await openDriver()) as typeof driver;
    direct = { server: driver.server, pool: driver.pool };
    // What listens goes through the gate, and nothing else does.
    Object.assign(driver, { server: { ...readServer(env().DATABASE_URL ?? ""), host: "127.0.0.1", port: gate.port } });
  });
  afterEach(() => {
    stopHearing();
    Object.assign(driver, direct);
    gate.shut();
  });

  const untilHearing = () => vi.waitFor(() => expect(dataVersion()).not.toBeNull(), { timeout: 15_000, interval: 10 });

  test("that falls silent counts as lost, until there is another", async () => {
    await startHearing();
    await untilHearing();

    gate.forget();

    await vi.waitFor(() => expect(dataVersion()).toBeNull(), { timeout: 2 * HEARD_WITHIN_MS, interval: 10 });
    await untilHearing();
  });

  test("on which nothing that is told arrives, as behind a pooler that hands connections on, counts as none", async () => {
    // What is told in one database is not heard in another.
    const elsewhere = createPool(readServer(withDatabase(server, "postgres")));
    onTestFinished(() => elsewhere.end());
    Object.assign(driver, { pool: elsewhere });
    await startHearing();

    const heard: unknown[] = [];
    for (const end = Date.now() + HEARD_WITHIN_MS; Date.now() < end; await sleep(20)) heard.push(dataVersion());
    expect(new Set(heard)).toEqual(new Set([null]));

    Object.assign(driver, { pool: direct.pool });
    await untilHearing();
  });
});
