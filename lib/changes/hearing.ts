import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { CHANGES_CHANNEL, noteChange, onStopHearing, setHearing } from "../changes.ts";
import { type Driver, openDriver } from "../db.ts";
import { log } from "../log.ts";
import { cutConnection } from "../postgres/silence.ts";
import { createConnection } from "../postgres.ts";

type PostgresDriver = Extract<Driver, { kind: "postgresql" }>;

const PROBE_EVERY_MS = 2000;
const PROBE_TIMEOUT_MS = 2000;
const RETRY_AFTER_MS = 1000;

/** How long a change that another process wrote to PostgreSQL can go unheard at most: until a probe is due, and is not answered. */
export const HEARD_WITHIN_MS = PROBE_EVERY_MS + PROBE_TIMEOUT_MS;

/** Begins to hear of changes, until the database is closed. Where the line to PostgreSQL is lost it is taken up again. */
export async function startHearing(): Promise<void> {
  const driver = await openDriver();
  if (driver.kind === "embedded") {
    await driver.pglite.listen(CHANGES_CHANNEL, noteChange);
    setHearing(true);
    return;
  }
  const stop = new AbortController();
  onStopHearing(() => stop.abort());
  void hearOthers(driver, stop.signal);
}

async function hearOthers(driver: PostgresDriver, signal: AbortSignal): Promise<void> {
  let isLost = false;
  const onHearing = () => {
    isLost = false;
  };
  while (!signal.aborted) {
    await hearUntilLost(driver, { signal, onHearing }).catch((error: unknown) => {
      if (!signal.aborted && !isLost)
        log.warn({ err: error }, "Nobody tells of changes in the database just now: until that is so again, answers are not kept.");
      isLost = true;
    });
    await sleep(RETRY_AFTER_MS, undefined, { signal }).catch(() => {});
  }
}

/** One connection that does nothing but listen. It is asked from time to time whether it still does. */
async function hearUntilLost({ server, pool }: PostgresDriver, { signal, onHearing }: { signal: AbortSignal; onHearing: () => void }): Promise<void> {
  const client = createConnection(server, { query_timeout: PROBE_TIMEOUT_MS });
  const ended = new AbortController();
  client.once("end", () => ended.abort(new Error("The connection that listens has ended.")));
  const over = AbortSignal.any([signal, ended.signal]);
  try {
    await client.connect();
    await proveHearing(client, pool);
    client.on("notification", ({ payload }) => noteChange(payload));
    setHearing(true);
    onHearing();
    while (true) {
      // What ended it is the reason; the wait itself would only say that it was cut short.
      await sleep(PROBE_EVERY_MS, undefined, { signal: over }).catch(() => over.throwIfAborted());
      await client.query("SELECT 1");
    }
  } finally {
    setHearing(false);
    if (signal.aborted) void client.end().catch(() => {});
    else {
      // That it is lost is no news then.
      client.removeAllListeners("error").on("error", () => {});
      cutConnection(client);
    }
  }
}

/** Goes on only if what another connection tells arrives while this one is idle: behind a pooler that hands connections from one to the other it never does. */
async function proveHearing(client: pg.Client, pool: pg.Pool): Promise<void> {
  const probe = crypto.randomUUID();
  const heard = new Promise<void>((resolve) => client.on("notification", ({ payload }) => payload === probe && resolve()));
  await client.query(`LISTEN ${CHANGES_CHANNEL}`);
  await pool.query(`SELECT pg_notify('${CHANGES_CHANNEL}', '${probe}')`);
  const late = sleep(PROBE_TIMEOUT_MS, undefined, { ref: false }).then(() => Promise.reject(new Error("What is told to PostgreSQL's LISTEN does not arrive.")));
  await Promise.race([heard, late]);
}
