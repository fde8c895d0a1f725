import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { load, type Target } from "./load.ts";
import { type BenchSite, type Database, type Sites, SMALL } from "./sites.ts";

/** A figure that has no bar. */
export type RecordedFigure = { name: string; figure: string };

const CONNECTIONS = [1, 16, 64];
/** What is asked for the record: two that are kept, one that never is. */
const ASKED: { name: string; target: (site: BenchSite) => Target }[] = [
  { name: "GET /api/v1/boards, anonymous", target: ({ url }) => ({ url: `${url}/api/v1/boards` }) },
  { name: "GET /api/v1/boards, with a session", target: ({ url, session }) => ({ url: `${url}/api/v1/boards`, headers: session }) },
  { name: "the home page, anonymous", target: ({ url }) => ({ url: `${url}/` }) },
];
const IDLE_MS = 2000;

/** What a run tells beside its ratios, for who compares machines and versions; `requests` is how many the memory is looked at behind. */
export async function* recordsOf(
  sites: Sites,
  databases: Database[],
  { seconds, requests }: { seconds: number; requests: number },
): AsyncGenerator<RecordedFigure> {
  for (const database of databases) {
    const site = await sites.filled(database, SMALL);
    for (const { name, target } of ASKED)
      for (const connections of CONNECTIONS) {
        const { perSecond, p50Ms, p99Ms, failed } = await load({ ...target(site), connections }, seconds);
        yield {
          name: `${name}, ${connections} connections, ${database}`,
          figure: `${Math.round(perSecond)}/s, p50 ${p50Ms} ms, p99 ${p99Ms} ms${failed ? `, ${failed} FAILED` : ""}`,
        };
      }
  }
  for (const database of databases) yield* startTimes(sites, database);
  for (const database of databases) yield await memoryBehind(await sites.filled(database, SMALL), { database, requests });
}

/** From the start of the built program to its first ready answer: on nothing, which migrates, and again on what that left. */
async function* startTimes(sites: Sites, database: Database): AsyncGenerator<RecordedFigure> {
  const [cold, warm] = await sites.startTimes(database);
  yield { name: `start on nothing, ${database}`, figure: `${cold} ms` };
  yield { name: `start on what is there, ${database}`, figure: `${warm} ms` };
}

/** The memory of the process before and after so many requests, one in ten of which nothing is kept of. */
async function memoryBehind(site: BenchSite, { database, requests }: { database: Database; requests: number }): Promise<RecordedFigure> {
  const session = { url: `${site.url}/api/v1/boards`, headers: site.session };
  await load({ url: site.url, amount: 2000 });
  await load({ ...session, amount: 2000 });
  const before = memoryOf(site.pid);
  await load({ url: site.url, amount: Math.ceil(requests * 0.9) });
  await load({ ...session, amount: Math.ceil(requests * 0.1) });
  await sleep(IDLE_MS);
  return { name: `memory before and after ${requests} requests, ${database}`, figure: `${before} MB, ${memoryOf(site.pid)} MB` };
}

/** In megabytes, what `pid` holds. */
function memoryOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1000);
}
