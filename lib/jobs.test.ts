import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { databaseKind, db } from "./db.ts";
import { enqueue, ensureJobSchema, type JobHandlers, mailsWithoutJob, startJobs, stopJobs } from "./jobs.ts";
import { useDatabase } from "./testing/database.ts";

useDatabase();

afterEach(() => stopJobs());

const nothing = async () => undefined;

/** Starts workers whose mail handler is `mail`. */
async function work(mail: JobHandlers["mail"], schedule: Record<string, string> = {}): Promise<void> {
  await startJobs({ handlers: { mail, maintenance: nothing }, schedule });
}

function add(mailId: string): Promise<void> {
  return db.$transaction((tx) => enqueue(tx, "mail", { mailId }));
}

/** Handled mailIds in order, and a handler that notes them. */
function notebook() {
  const handled: string[] = [];
  return { handled, note: async ({ mailId }: { mailId: string }) => void handled.push(mailId) };
}

test("a committed job wakes an idle worker at once", async () => {
  const { handled, note } = notebook();
  await work(note);
  await sleep(500);

  const startedAt = Date.now();
  await add("a");
  await vi.waitFor(() => expect(handled).toEqual(["a"]), { timeout: 4000, interval: 10 });

  // Polling alone would take up to five seconds.
  expect(Date.now() - startedAt).toBeLessThan(1500);
});

test("a job whose transaction is rolled back never runs", async () => {
  const { handled, note } = notebook();
  await work(note);

  const undone = db.$transaction(async (tx) => {
    await enqueue(tx, "mail", { mailId: "undone" });
    throw new Error("changed my mind");
  });
  await expect(undone).rejects.toThrow("changed my mind");
  await add("done");
  await vi.waitFor(() => expect(handled).toContain("done"));

  expect(handled).toEqual(["done"]);
});

test("while a job waits, the same one is not added again", async () => {
  await add("a");
  await add("a");
  const { handled, note } = notebook();

  await work(note);
  await vi.waitFor(() => expect(handled).toHaveLength(1));
  await sleep(500);

  expect(handled).toEqual(["a"]);
});

test("a job that is done can come again", async () => {
  const { handled, note } = notebook();
  await work(note);
  await add("a");
  await vi.waitFor(async () => expect(await mailsWithoutJob(["a"])).toEqual(["a"]), { timeout: 3000 });

  await add("a");

  await vi.waitFor(() => expect(handled).toEqual(["a", "a"]));
});

test("jobs that were added while no worker ran are done when one starts, more than a batch of them", async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `letter-${index}`);
  await db.$transaction(async (tx) => {
    for (const id of ids) await enqueue(tx, "mail", { mailId: id });
  });
  const { handled, note } = notebook();

  await work(note);
  await vi.waitFor(() => expect(handled).toHaveLength(ids.length), { timeout: 3000 });

  expect(new Set(handled)).toEqual(new Set(ids));
});

test("a failed job is tried again within seconds, and is told when nobody will try again", { timeout: 30_000 }, async () => {
  const attempts: boolean[] = [];
  await add("a");
  await db.$executeRaw`UPDATE pgboss.job SET retry_limit = 1`;

  await work(async (_data, { isLastAttempt }) => {
    attempts.push(isLastAttempt);
    throw new Error("no luck");
  });
  await vi.waitFor(() => expect(attempts).toEqual([false, true]), { timeout: 20_000 });
});

test("F4: an email that cannot be sent is tried for more than a day", async () => {
  await add("a");

  const [job] = await db.$queryRaw<{ limit: number; delay: number; most: number; backoff: boolean }[]>`
    SELECT "retry_limit" AS "limit", "retry_delay" AS "delay", "retry_delay_max" AS "most", "retry_backoff" AS "backoff" FROM pgboss.job`;
  const { limit = 0, delay = 0, most = 0, backoff } = job ?? {};
  // The shortest pauses that pg-boss takes: of each, which doubles, half is left to chance (pg-boss, `failJobs`).
  const pauses = Array.from({ length: limit }, (_, retry) => Math.min(most, (delay * 2 ** Math.min(16, retry + 1)) / 2));
  const hours = pauses.reduce((sum, seconds) => sum + seconds, 0) / 3600;

  expect(backoff).toBe(true);
  expect(hours).toBeGreaterThan(24);
});

test("one failing job does not hold up the others of its batch", async () => {
  const { handled, note } = notebook();
  for (const id of ["a", "bad", "c"]) await add(id);

  await work(async (data) => {
    if (data.mailId === "bad") throw new Error("no luck");
    await note(data);
  });
  await vi.waitFor(async () => expect(await mailsWithoutJob(["a", "bad", "c"])).toEqual(["a", "c"]));

  expect(handled.toSorted()).toEqual(["a", "c"]);
});

test("stopping lets a running job finish", async () => {
  let isFinished = false;
  let isStarted = false;
  await work(async () => {
    isStarted = true;
    await sleep(700);
    isFinished = true;
  });
  await add("a");
  await vi.waitFor(() => expect(isStarted).toBe(true));

  await stopJobs();

  expect(isFinished).toBe(true);
  expect(await mailsWithoutJob(["a"])).toEqual(["a"]);
});

test("stopping waits no longer than it was told, and the job goes back into its queue", async () => {
  let isStarted = false;
  await work(async () => {
    isStarted = true;
    await sleep(6000);
  });
  await add("a");
  await vi.waitFor(() => expect(isStarted).toBe(true));

  const startedAt = Date.now();
  await stopJobs({ timeoutMs: 1000 });

  expect(Date.now() - startedAt).toBeLessThan(3000);
  expect(await mailsWithoutJob(["a"])).toEqual([]);
});

test("where the database fails a start it is tried again, until it works or nobody wants it any more", async () => {
  const { handled, note } = notebook();
  await db.$executeRaw`ALTER TABLE pgboss.schedule RENAME TO away`;
  const given = work(note, { "a-task": "0 3 * * *" });
  await sleep(500);
  await stopJobs();
  await given;

  const working = work(note, { "a-task": "0 3 * * *" });
  await sleep(500);
  await add("a");
  await sleep(500);
  expect(handled).toEqual([]);
  await db.$executeRaw`ALTER TABLE pgboss.away RENAME TO schedule`;
  await working;

  await vi.waitFor(() => expect(handled).toEqual(["a"]));
});

test("what is scheduled is what the list says, no more", async () => {
  await work(nothing, { "old-task": "0 3 * * *", "kept-task": "0 3 * * *" });
  await stopJobs();
  await work(nothing, { "kept-task": "30 4 * * *" });

  const rows = await db.$queryRaw<{ key: string; cron: string }[]>`SELECT key, cron FROM pgboss.schedule`;
  expect(rows).toEqual([{ key: "kept-task", cron: "30 4 * * *" }]);
});

test("the schema can be made by many at once", async () => {
  await db.$executeRaw`DROP SCHEMA pgboss CASCADE`;

  await Promise.all(Array.from({ length: 4 }, ensureJobSchema));

  await add("a");
  expect(await mailsWithoutJob(["a"])).toEqual([]);
});

test.runIf(databaseKind() === "embedded")("what a killed process had in its hands is done when the next one starts", async () => {
  await add("a");
  await db.$executeRaw`UPDATE pgboss.job SET state = 'active', started_on = now(), heartbeat_on = now()`;
  const { handled, note } = notebook();

  await work(note);

  await vi.waitFor(() => expect(handled).toEqual(["a"]), { timeout: 2000 });
});

test.runIf(databaseKind() === "postgresql")("workers survive the loss of all their connections", async () => {
  const { handled, note } = notebook();
  await work(note);

  const lost = await db.$queryRaw<unknown[]>`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'heard-jobs'`;
  await add("a");

  expect(lost.length).toBeGreaterThan(1);
  await vi.waitFor(() => expect(handled).toEqual(["a"]), { timeout: 12_000 });
});
