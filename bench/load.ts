import autocannon from "autocannon";

/** What is asked, and how hard: so many connections, each asking again as soon as it is answered, or all together so often a second as `rate` says. */
export type Target = { url: string; headers?: Record<string, string>; connections?: number; rate?: number; next?: () => Partial<autocannon.Request> };

/** How that went: answers a second, milliseconds, and answers that were none or not of the 2xx. */
export type Speed = { perSecond: number; p50Ms: number; p97Ms: number; p99Ms: number; failed: number };

/** How many connections a row asks through where it says nothing else. */
const CONNECTIONS = 16;

/** Asks `target` for so many seconds. */
export async function load(target: Target, seconds: number): Promise<Speed> {
  const { requests, latency, non2xx, errors } = await run(target, seconds);
  return { perSecond: requests.average, p50Ms: latency.p50, p97Ms: latency.p97_5, p99Ms: latency.p99, failed: non2xx + errors };
}

/** How two targets compare that are asked in turns, so that what else the machine does meets both: the middle of the rounds by answers a second. */
export async function compare(one: Target, other: Target, { rounds, seconds }: { rounds: number; seconds: number }): Promise<{ one: Speed; other: Speed }> {
  const [ones, others]: [Speed[], Speed[]] = [[], []];
  for (const target of [one, other]) await load(target, 1);
  for (let round = 0; round < rounds; round++) {
    ones.push(await load(one, seconds));
    others.push(await load(other, seconds));
  }
  return { one: middle(ones), other: middle(others) };
}

/** The one of the rounds in the middle by answers a second. */
export function middle(speeds: Speed[]): Speed {
  return speeds.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(speeds.length / 2)] as Speed;
}

/** The middle of some numbers. */
export function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function run({ url, headers = {}, connections = CONNECTIONS, rate, next }: Target, duration: number): Promise<autocannon.Result> {
  const requests = next && [{ setupRequest: (request: autocannon.Request) => ({ ...request, ...next() }) }];
  return autocannon({ url, headers, connections, requests, duration, overallRate: rate });
}
