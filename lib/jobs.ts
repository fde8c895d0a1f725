import { setTimeout as sleep } from "node:timers/promises";
import { fromPrisma, type JobWithMetadata, PgBoss, type QueueOptions } from "pg-boss";
import { DAY_MS } from "./days.ts";
import { type Driver, db, isUnavailable, openDriver, type Tx } from "./db.ts";
import { isDraining } from "./draining.ts";
import { embeddedJobDatabase } from "./jobs/embedded.ts";
import { log } from "./log.ts";
import { unlimitedOptions } from "./postgres.ts";

const DAY_SECONDS = DAY_MS / 1000;

/**
 * Every queue and its patience. `exclusive`: of jobs with the same data one waits or runs.
 * A job of a killed process is missed after `heartbeatSeconds`, and started again.
 */
const QUEUES = {
  // The first retry after 5 to 10 s, the pause doubling up to 15 min: 120 of them bridge somewhat more than a day.
  mail: {
    policy: "exclusive",
    notify: true,
    retryLimit: 120,
    retryDelay: 5,
    retryDelayMax: 900,
    expireInSeconds: 60,
    heartbeatSeconds: 15,
    batchSize: 5,
    pollSeconds: 5,
  },
  maintenance: {
    policy: "standard",
    notify: false,
    retryLimit: 5,
    retryDelay: 60,
    retryDelayMax: 900,
    expireInSeconds: 900,
    heartbeatSeconds: 60,
    batchSize: 1,
    pollSeconds: 60,
  },
} as const;

const RETENTION: QueueOptions = { retentionSeconds: 30 * DAY_SECONDS, deleteAfterSeconds: DAY_SECONDS };

/** What each queue's jobs carry: ids and names, never content. */
export type JobData = { mail: { mailId: string }; maintenance: { task: string } };

export type QueueName = keyof JobData;

/** What a handler may want to know of its job. After the last attempt nobody tries again. */
export type Attempt = { isLastAttempt: boolean };

/** Does a job. Throwing means: again, later. It may run twice, so it must bear that. */
export type JobHandlers = { [Name in QueueName]: (data: JobData[Name], attempt: Attempt) => Promise<void> };

/** What a process's workers do, and when each maintenance task is due: five cron fields in UTC by task name. */
export type Jobs = { handlers: JobHandlers; schedule: Record<string, string> };

/** What does the jobs of this process, once it could be started, and what ends the tries to. */
type Worker = { boss: Promise<PgBoss | undefined>; ending: AbortController };

const START_AGAIN_AFTER_MS = 1_000;
const MAX_START_AGAIN_AFTER_MS = 30_000;

declare global {
  /** The one worker of this process, although this code exists twice: in the front server and in Next's bundle. */
  var heardJobs: Worker | undefined;
}

/** Every queue there is. */
export function queueNames(): QueueName[] {
  return Object.keys(QUEUES) as QueueName[];
}

/**
 * Puts a job into `queue` in the transaction `tx`: it exists if and when that commits, and idle workers are woken.
 * While a mail job with the same `data` waits or runs, another one is not added. Needs no worker in this process.
 */
export async function enqueue<Name extends QueueName>(tx: Tx, queue: Name, data: JobData[Name]): Promise<void> {
  // All of its queries must go through `tx`: the embedded database's one connection is taken until `tx` ends.
  await new PgBoss({ db: fromPrisma(tx) }).send(queue, data, { singletonKey: Object.values(data).join() });
}

/** Those of `mailIds` for which no job waits or runs. */
export async function mailsWithoutJob(mailIds: string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ key: string }[]>`
    SELECT singleton_key AS key FROM pgboss.job WHERE name = 'mail' AND singleton_key = ANY(${mailIds}) AND state IN ('created', 'retry', 'active')`;
  const living = new Set(rows.map(({ key }) => key));
  return mailIds.filter((mailId) => !living.has(mailId));
}

/** When the letter is tried next, at the earliest; null where no job for it waits. */
export async function nextAttemptOf(mailId: string): Promise<Date | null> {
  const [job] = await db.$queryRaw<{ dueAt: Date }[]>`
    SELECT start_after AS "dueAt" FROM pgboss.job WHERE name = 'mail' AND singleton_key = ${mailId} AND state IN ('created', 'retry')`;
  return job?.dueAt ?? null;
}

/** Makes the tables and queues that `enqueue` needs, or brings them up to date, in `driver` or else this process's database. Safe in many processes at once. */
export async function ensureJobSchema(driver?: Driver): Promise<void> {
  const boss = await createBoss({ supervise: false, schedule: false, useListenNotify: false }, driver);
  try {
    await boss.start();
    await createQueues(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Starts this process's workers, once, and waits until they work. Losing the database stops nothing: they start, or go on, when it is back. */
export async function startJobs(jobs: Jobs): Promise<void> {
  if (!globalThis.heardJobs) {
    const ending = new AbortController();
    globalThis.heardJobs = { boss: startPatiently(jobs, ending.signal), ending };
  }
  await globalThis.heardJobs.boss;
}

/** Takes no more jobs and lets running ones finish; what is not done after `timeoutMs` goes back into its queue. */
export async function stopJobs({ timeoutMs = 8000 }: { timeoutMs?: number } = {}): Promise<void> {
  const worker = globalThis.heardJobs;
  globalThis.heardJobs = undefined;
  worker?.ending.abort();
  const boss = await worker?.boss;
  await boss?.stop({ graceful: true, timeout: timeoutMs });
}

/** Tries until it works, or nobody wants it any more. */
async function startPatiently(jobs: Jobs, ending: AbortSignal): Promise<PgBoss | undefined> {
  for (let waitMs = START_AGAIN_AFTER_MS; !ending.aborted; waitMs = Math.min(waitMs * 2, MAX_START_AGAIN_AFTER_MS)) {
    try {
      return await start(jobs);
    } catch (error) {
      // While the database is away, so are they.
      if (!ending.aborted) log[isUnavailable(error) ? "warn" : "error"]({ err: error }, "Background jobs could not be started; it is tried again.");
    }
    await sleep(waitMs, undefined, { signal: ending }).catch(() => {});
  }
}

async function start({ handlers, schedule }: Jobs): Promise<PgBoss> {
  const driver = await openDriver();
  // Each pass writes a little. An embedded process that dies takes no job with it for long: the next start finds it.
  const superviseSeconds = driver.kind === "embedded" ? 60 : 10;
  const boss = await createBoss({
    supervise: true,
    schedule: true,
    useListenNotify: true,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  });
  try {
    await boss.start();
    await createQueues(boss);
    if (driver.kind === "embedded") await restartOrphans(boss);
    await applySchedule(boss, schedule);
    for (const name of queueNames()) await startWorker(boss, name, handlers[name]);
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
}

type BossOptions = { supervise: boolean; schedule: boolean; useListenNotify: boolean; superviseIntervalSeconds?: number; monitorIntervalSeconds?: number };

async function createBoss(options: BossOptions, given?: Driver): Promise<PgBoss> {
  const driver = given ?? (await openDriver());
  const database =
    driver.kind === "embedded"
      ? { db: embeddedJobDatabase(driver.pglite), backend: "pglite" as const }
      : { ...driver.server, options: unlimitedOptions(driver.server), max: 2, connectionTimeoutMillis: 5000, application_name: "heard-jobs" };
  // Flows are not used here, and these passes write to the database whether there is something to do or not.
  const boss = new PgBoss({
    ...database,
    ...options,
    flowIntervalSeconds: 3600,
    bamIntervalSeconds: 600,
    cronMonitorIntervalSeconds: 45,
    cronWorkerIntervalSeconds: 45,
  });
  boss.on("error", (error: Error) => {
    // Once this process is ending, what fails is what it closes.
    if (isDraining()) return;
    // While the database is away each look into a queue fails.
    log[isUnavailable(error) ? "warn" : "error"]({ error: error.message }, "A background job's upkeep failed; it is tried again.");
  });
  // Its details may hold what jobs carried or failed with; they stay out of the log.
  boss.on("warning", ({ message }) => log.warn({ warning: message }, "The job queue warns."));
  return boss;
}

async function createQueues(boss: PgBoss): Promise<void> {
  for (const name of queueNames()) {
    const { policy, batchSize: _, pollSeconds: __, ...patience } = QUEUES[name];
    const options = { ...patience, ...RETENTION, retryBackoff: true };
    await boss.createQueue(name, { policy, ...options });
    await boss.updateQueue(name, options);
  }
}

/** No other process has this database, so what is marked as running was running when the last one died: it is due now. */
async function restartOrphans(boss: PgBoss): Promise<void> {
  const { rows } = (await boss.getDb().executeSql("SELECT name, id FROM pgboss.job WHERE state = 'active'")) as { rows: { name: string; id: string }[] };
  for (const { name, id } of rows) {
    await boss.fail(name, id, { message: "The process ended meanwhile." });
    await boss.update(name, undefined, { id, startAfter: new Date() });
  }
}

async function applySchedule(boss: PgBoss, schedule: Jobs["schedule"]): Promise<void> {
  const former = await boss.getSchedules("maintenance");
  for (const { key } of former) if (!(key in schedule)) await boss.unschedule("maintenance", key);
  // A machine that was off at the hour does it once when it is back.
  for (const [task, cron] of Object.entries(schedule)) await boss.schedule("maintenance", cron, { task }, { key: task, tz: "UTC", missed: "once" });
}

async function startWorker<Name extends QueueName>(boss: PgBoss, name: Name, handler: JobHandlers[Name]): Promise<void> {
  const { batchSize, pollSeconds } = QUEUES[name];
  // New jobs wake the worker; retries come due in silence, and are found by polling.
  const polling = { pollingIntervalSeconds: pollSeconds, notifyPollingIntervalSeconds: pollSeconds, burstWhenBatchFull: batchSize > 1 };
  const options = { batchSize, ...polling, perJobResults: true, includeMetadata: true } as const;
  await boss.work<JobData[Name], void, typeof options>(name, options, (jobs) => Promise.all(jobs.map((job) => settle(job, handler))));
}

async function settle<Data>(job: JobWithMetadata<Data>, handler: (data: Data, attempt: Attempt) => Promise<void>) {
  const isLastAttempt = job.retryCount >= job.retryLimit;
  try {
    await handler(job.data, { isLastAttempt });
    return { id: job.id, status: "completed" as const };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log.warn(
      { queue: job.name, job: job.id, attempt: job.retryCount + 1, error: message },
      isLastAttempt ? "A job failed for the last time." : "A job failed; it is tried again.",
    );
    return { id: job.id, status: "failed" as const, output: { message } };
  }
}
