import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { quantile } from "#lib/testing/timing";

/** What is asked, and how hard: so many connections, each asking again as soon as it is answered; `amount` times, where that is given, however long it takes. */
export type Target = {
  url: string;
  headers?: Record<string, string>;
  connections?: number;
  amount?: number;
  next?: () => Asked;
};

/** One request, where they differ. */
type Asked = { method?: "GET" | "POST" | "PATCH"; path?: string; headers?: Record<string, string>; body?: string };

/** How that went: answers a second, milliseconds, and answers that were none or not of the 2xx. */
export type Speed = { perSecond: number; p50Ms: number; p95Ms: number; p99Ms: number; failed: number };

/** How many connections a row asks through where it says nothing else. */
const CONNECTIONS = 16;

/** Asks `target` for so many seconds. */
export async function load(target: Target, seconds = 1): Promise<Speed> {
  const times: number[] = [];
  const { requests, latency, non2xx, errors } = await run(target, seconds, (ms) => times.push(ms));
  // The generator has no 95th percentile of its own.
  return { perSecond: requests.average, p50Ms: latency.p50, p95Ms: Math.round(quantile(times, 0.95)), p99Ms: latency.p99, failed: non2xx + errors };
}

/**
 * Asks so often a second, evenly, whether or not what was asked before is answered, as people do who know nothing of each other. Times count from when a
 * request was due, so that one which had to wait for its turn is not taken for a fast one.
 */
export async function steadily({ url, next }: Required<Pick<Target, "url" | "next">>, { rate, seconds }: { rate: number; seconds: number }): Promise<Speed> {
  const times: number[] = [];
  let failed = 0;
  const startedAt = performance.now();
  const ask = async (index: number) => {
    const dueAt = startedAt + (index * 1000) / rate;
    await sleep(Math.max(0, dueAt - performance.now()));
    const { path = "/", ...request } = next();
    const isAnswered = await fetch(url + path, request).then(
      (answer) => answer.arrayBuffer().then(() => answer.ok),
      () => false,
    );
    if (!isAnswered) failed++;
    times.push(performance.now() - dueAt);
  };
  await Promise.all(Array.from({ length: rate * seconds }, (_, index) => ask(index)));
  const [p50Ms, p95Ms, p99Ms] = [0.5, 0.95, 0.99].map((share) => Math.round(quantile(times, share))) as [number, number, number];
  const perSecond = (times.length - failed) / ((performance.now() - startedAt) / 1000);
  return { perSecond, p50Ms, p95Ms, p99Ms, failed };
}

/** How two targets compare that are asked in turns, so that what else the machine does meets both: the middle of the rounds by answers a second. A first round does not count: code that runs for the first time is slow. */
export async function compare(one: Target, other: Target, { rounds, seconds }: { rounds: number; seconds: number }): Promise<{ one: Speed; other: Speed }> {
  const [ones, others]: [Speed[], Speed[]] = [[], []];
  for (const target of [one, other]) await load(target, seconds);
  for (let round = 0; round < rounds; round++) {
    ones.push(await load(one, seconds));
    others.push(await load(other, seconds));
  }
  return { one: middle(ones, "perSecond"), other: middle(others, "perSecond") };
}

/** The one of the rounds in the middle by what `by` names, with what failed in any of them: failures are fast, and a round full of them stands at an end. */
export function middle<Measure extends string, Round extends { failed: number } & Record<Measure, number>>(rounds: Round[], by: Measure): Round {
  const inMiddle = rounds.toSorted((a, b) => a[by] - b[by])[Math.floor(rounds.length / 2)] as Round;
  return { ...inMiddle, failed: rounds.reduce((sum, { failed }) => sum + failed, 0) };
}

function run({ url, headers = {}, connections = CONNECTIONS, amount, next }: Target, duration: number, onAnswer: (ms: number) => void) {
  const requests = next && [{ setupRequest: (request: autocannon.Request) => ({ ...request, ...next() }) }];
  return new Promise<autocannon.Result>((resolve, reject) => {
    const done = (error: Error | null, result: autocannon.Result) => (error ? reject(error) : resolve(result));
    autocannon({ url, headers, connections, requests, duration, amount }, done).on("response", (_client, _status, _bytes, ms) => onAnswer(ms));
  });
}
