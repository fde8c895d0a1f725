import { monitorEventLoopDelay } from "node:perf_hooks";
import { AggregatorRegistry, Counter, Gauge, Histogram, type MetricObjectWithValues, type MetricValue, Registry } from "prom-client";
import { db, openDriver } from "./db.ts";
import { env } from "./env.ts";
import { queueNames } from "./jobs.ts";
import { log } from "./log.ts";
import { askSiblings } from "./siblings.ts";

/** Few, so that every route's together stay below the 500 series that a small Prometheus likes. */
const DURATION_BUCKETS_S = [0.05, 0.25, 1];
/** How long the event loop's delays are gathered before a scrape begins anew, so that two who scrape take nothing from each other. */
const LAG_SPAN_MS = 60_000;
const LAG_RESOLUTION_MS = 10;

let lagReadSince = performance.now();

type Metrics = ReturnType<typeof createMetrics>;

/** One process's figures, as they can be sent to another. */
type Figures = MetricObjectWithValues<MetricValue<string>>[];

declare global {
  /** This process's figures, which the front server and Next's bundle both add to. */
  var heardMetrics: Metrics | undefined;
}

/** Whether figures are kept at all: METRICS_TOKEN is set. */
export function hasMetrics(): boolean {
  return env().METRICS_TOKEN !== undefined;
}

/** Counts an answer, where figures are kept: its route as its folder in `app/` is called, its status, and how long it took. */
export function countAnswer({ route, status, seconds }: { route: string; status: number; seconds: number }): void {
  if (!hasMetrics()) return;
  metrics().durations.observe({ route }, seconds);
  metrics().answers.inc({ status });
}

/** Counts what a limit refused, by its name. */
export function countRefusal(limit: string): void {
  if (hasMetrics()) metrics().refusals.inc({ limit });
}

/** Counts an attempt to send a letter that failed. */
export function countMailFailure(): void {
  if (hasMetrics()) metrics().mailFailures.inc();
}

/** Every figure as of now in Prometheus' text format, of all processes of this start together, and that format's media type. */
export async function renderMetrics(): Promise<{ body: string; type: string }> {
  const [own, others] = await Promise.all([readMetrics(), askSiblings("figures") as Promise<Figures[]>]);
  const registry = AggregatorRegistry.aggregate([own, ...others]);
  return { body: await registry.metrics(), type: registry.contentType };
}

/** This process's own figures as of now, for whoever adds them to others. */
export async function readMetrics(): Promise<Figures> {
  readProcess(metrics());
  await readDatabase(metrics());
  return metrics().registry.getMetricsAsJSON();
}

function metrics(): Metrics {
  globalThis.heardMetrics ??= createMetrics();
  return globalThis.heardMetrics;
}

function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();
  return {
    registry,
    lag,
    durations: new Histogram({
      name: "heard_http_request_duration_seconds",
      help: "How long answers took, by route",
      labelNames: ["route"],
      buckets: DURATION_BUCKETS_S,
      registers,
    }),
    answers: new Counter({
      name: "heard_http_responses_total",
      help: "Answers by status; 429 says that a limit was reached",
      labelNames: ["status"],
      registers,
    }),
    refusals: new Counter({ name: "heard_rate_limited_total", help: "Refusals by limit", labelNames: ["limit"], registers }),
    mailFailures: new Counter({ name: "heard_mail_failures_total", help: "Attempts to send an email that failed", registers }),
    lagSeconds: new Gauge({
      name: "heard_event_loop_lag_seconds",
      help: "How late the event loop was in the last minute or so",
      labelNames: ["quantile"],
      aggregator: "max",
      registers,
    }),
    memory: new Gauge({ name: "process_resident_memory_bytes", help: "Memory that the server processes hold", registers }),
    cpu: new Counter({ name: "process_cpu_seconds_total", help: "Processor time that the server processes used", registers }),
    startTime: new Gauge({
      name: "process_start_time_seconds",
      help: "When the oldest server process began, in seconds since 1970",
      aggregator: "min",
      registers,
    }),
    isUp: new Gauge({ name: "heard_database_up", help: "1 while the database answers", aggregator: "min", registers }),
    connections: new Gauge({ name: "heard_pool_connections", help: "Connections to PostgreSQL", labelNames: ["state"], registers }),
    waiting: new Gauge({ name: "heard_pool_waiting", help: "Requests that wait for a connection to PostgreSQL", registers }),
    jobs: new Gauge({ name: "heard_jobs", help: "Jobs by queue and state", labelNames: ["queue", "state"], aggregator: "max", registers }),
    oldestJob: new Gauge({
      name: "heard_job_oldest_seconds",
      help: "How long the oldest job that is due has been waiting",
      labelNames: ["queue"],
      aggregator: "max",
      registers,
    }),
  };
}

function readProcess({ lag, lagSeconds, memory, cpu, startTime }: Metrics): void {
  // What is measured is the time between two looks, which is the resolution where nothing is late; of nothing measured yet the histogram makes NaN.
  const seconds = (nanoseconds: number) => (lag.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1000));
  lagSeconds.set({ quantile: "0.5" }, seconds(lag.percentile(50)));
  lagSeconds.set({ quantile: "0.99" }, seconds(lag.percentile(99)));
  lagSeconds.set({ quantile: "1" }, seconds(lag.max));
  if (performance.now() - lagReadSince > LAG_SPAN_MS) {
    lag.reset();
    lagReadSince = performance.now();
  }
  memory.set(process.memoryUsage.rss());
  const { user, system } = process.cpuUsage();
  cpu.reset();
  cpu.inc((user + system) / 1e6);
  startTime.set(Math.round(performance.timeOrigin / 1000));
}

async function readDatabase({ isUp, connections, waiting, jobs, oldestJob }: Metrics): Promise<void> {
  const driver = await openDriver();
  if (driver.kind === "postgresql") {
    connections.set({ state: "open" }, driver.pool.totalCount);
    connections.set({ state: "idle" }, driver.pool.idleCount);
    waiting.set(driver.pool.waitingCount);
  }
  jobs.reset();
  oldestJob.reset();
  try {
    for (const { queue, state, count } of await countJobs()) jobs.set({ queue, state }, count);
    for (const { queue, seconds } of await findOldestJobs()) oldestJob.set({ queue }, seconds);
    isUp.set(1);
  } catch (error) {
    isUp.set(0);
    log.warn({ err: error }, "the figures of jobs could not be read");
  }
}

function countJobs(): Promise<{ queue: string; state: string; count: number }[]> {
  return db.$queryRaw`
    SELECT name AS "queue", state::text AS "state", count(*)::int AS "count" FROM pgboss.job
    WHERE name = ANY(${queueNames()}) AND state IN ('created', 'retry', 'active', 'failed') GROUP BY 1, 2`;
}

function findOldestJobs(): Promise<{ queue: string; seconds: number }[]> {
  return db.$queryRaw`
    SELECT name AS "queue", extract(epoch FROM now() - min(start_after))::float8 AS "seconds" FROM pgboss.job
    WHERE name = ANY(${queueNames()}) AND state IN ('created', 'retry') AND start_after <= now() GROUP BY 1`;
}
