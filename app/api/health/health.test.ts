import { expect, test } from "vitest";
import { db, openDriver, type Tx } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { GET as answerLive } from "./live/route.ts";
import { GET as answerReady } from "./ready/route.ts";

useDatabase();

// Whoever is looked up is asked for in the database: a probe with either of these must not be.
const CALLERS: Record<string, string>[] = [{}, { authorization: "Bearer dead" }, { cookie: "heard.session=x; __Host-heard.session=x" }];

/** Keeps every connection to the database until what it returns is called. */
async function holdDatabase(): Promise<() => Promise<void>> {
  const driver = await openDriver();
  const count = driver.kind === "postgresql" ? (driver.pool.options.max ?? 0) : 1;
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const holders: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
    const holding = async (tx: Tx) => {
      // Else a server ends what idles in a transaction, after a time that a busy machine may need.
      if (driver.kind === "postgresql") await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      hold();
      await isOver;
    };
    holders.push(db.$transaction(holding, { timeout: 120_000 }));
    await isHeld;
  }
  return async () => {
    end();
    await Promise.all(holders);
  };
}

async function probe(answer: typeof answerLive, path: string, headers: Record<string, string>): Promise<[number, unknown]> {
  const response = await answer(new Request(`http://localhost:4400/api/health/${path}`, { headers }), { params: Promise.resolve({}) });
  return [response.status, await response.json()];
}

test("O2: while nobody gets to the database the probe of life asks it nothing, and readiness says so after its time", async () => {
  const release = await holdDatabase();

  const live: [number, unknown][] = [];
  for (const headers of CALLERS) live.push(await probe(answerLive, "live", headers));
  const ready = await probe(answerReady, "ready", {});
  await release();

  expect(live).toEqual(CALLERS.map(() => [200, { status: "ok" }]));
  expect(ready).toEqual([503, { status: "database" }]);
  expect(await probe(answerReady, "ready", {})).toEqual([200, { status: "ok" }]);
});
