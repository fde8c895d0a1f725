import { availableParallelism } from "node:os";
import { MAX_WAITING } from "#lib/passwords";
import { ownScriptBytes } from "#lib/testing/own-scripts";
import { median } from "#lib/testing/timing";
import { cursorOf } from "#server/boards/pages";
import { confineToTwoCores } from "./cores.ts";
import { Crowd, type CrowdAnswers } from "./crowd.ts";
import { compare, load, middle, type Speed, steadily, type Target } from "./load.ts";
import { cpuShares, processesOf } from "./processes.ts";
import { type BenchSite, type Database, type Sites, SMALL } from "./sites.ts";
import { statementsPerRequest } from "./statements.ts";

/** One figure, and what it has to be at least or at most. */
export type Figure = { figure: number; bar: { atLeast?: number; atMost?: number }; detail: string };

/** How long each is measured. */
export type Effort = { rounds: number; seconds: number };

/** What is measured. */
export type Row = { name: string; measure(sites: Sites, effort: Effort): Promise<Figure> };

/** More people than one process can hash for and have wait. */
const SIGNING_UP = MAX_WAITING + availableParallelism() + 32;
const COLLECTION = "/api/v1/boards";

/** What everybody may read, by the share of Node's own speed that it has to reach. */
const SHARED: { name: string; path: (site: BenchSite) => string; atLeast: number }[] = [
  { name: `GET ${COLLECTION}`, path: () => COLLECTION, atLeast: 0.3 },
  { name: "GET /api/v1/settings/site", path: () => "/api/v1/settings/site", atLeast: 0.3 },
  { name: "the home page", path: () => "/", atLeast: 0.2 },
  { name: "a board's page", path: ({ boardPath }) => boardPath, atLeast: 0.2 },
];

/** The rows on `database`, at sizes of so many posts and boards. */
export function rowsOn(database: Database, { posts, boards }: { posts: number; boards: number }): Row[] {
  return [
    ...SHARED.map(({ name, path, atLeast }) => ({
      name: `${name}, anonymous, against bare node:http with the same bytes`,
      measure: async (sites: Sites, effort: Effort) => {
        const site = await sites.filled(database, SMALL);
        const url = site.url + path(site);
        return ratio(await compare({ url }, { url: await sites.bare(url) }, effort), { atLeast });
      },
    })),
    ...SHARED.map(({ name, path }) => ({
      name: `${name}, anonymous, under one write a second, against unchanged data`,
      measure: async (sites: Sites, effort: Effort) => {
        const site = await sites.filled(database, SMALL);
        return underWrites(site, { url: site.url + path(site) }, effort);
      },
    })),
    {
      name: `GET ${COLLECTION} with a session, against an empty route handler of the same server`,
      measure: async (sites, effort) => {
        const { url, session } = await sites.filled(database, SMALL);
        return ratio(await compare({ url: url + COLLECTION, headers: session }, { url: `${url}/api/health/live` }, effort), { atLeast: 0.5 });
      },
    },
    {
      name: `GET ${COLLECTION} with a session, with ${posts} posts against ${SMALL.posts}`,
      measure: async (sites, effort) => {
        const [large, small] = [await sites.filled(database, { posts }), await sites.filled(database, SMALL)];
        return ratio(await compare(sessionRead(large), sessionRead(small), effort), { atLeast: 0.9 });
      },
    },
    {
      name: `GET ${COLLECTION} after board ${boards - 100} of ${boards}, against the first page`,
      measure: async (sites, effort) => {
        const site = await sites.filled(database, { boards, posts: SMALL.posts });
        const deep = { url: `${site.url}${COLLECTION}?after=${await cursorNear(site, boards - 100)}`, headers: site.session };
        return ratio(await compare(deep, sessionRead(site), effort), { atLeast: 0.9 });
      },
    },
    {
      name: "p99 of reads with a session while more people sign up than can wait for the hashing workers, against without",
      measure: async (sites, effort) => besideSignUps(await sites.filled(database, SMALL), effort),
    },
    ...(database === "postgresql" ? [twoProcesses(database), ...STATEMENTS.map(statementsOf)] : []),
    ...steadyLoad(database),
    ...(database === "postgresql" ? steadyLoad("embedded") : []),
    {
      name: "script of the home page beside the framework's, in gzipped bytes",
      measure: async (sites) => {
        const bytes = ownScriptBytes(await scriptsNamedBy((await sites.filled(database, SMALL)).url));
        return { figure: bytes, bar: { atMost: 20_000 }, detail: "" };
      },
    },
  ];
}

function sessionRead({ url, session }: BenchSite): Target {
  return { url: url + COLLECTION, headers: session };
}

function ratio({ one, other }: { one: Speed; other: Speed }, bar: Figure["bar"]): Figure {
  const figure = one.failed + other.failed > 0 ? 0 : one.perSecond / other.perSecond;
  return { figure, bar, detail: `${inWords(one)}, against ${inWords(other)}` };
}

function inWords({ perSecond, p50Ms, p99Ms, failed }: Speed): string {
  return `${Math.round(perSecond)}/s (p50 ${p50Ms} ms, p99 ${p99Ms} ms${failed ? `, ${failed} FAILED` : ""})`;
}

/** Reads while the site's description changes once a second, in turns with reads of data that stay. */
async function underWrites(site: BenchSite, target: Target, { rounds, seconds }: Effort): Promise<Figure> {
  let isWriting = false;
  let count = 0;
  let refused = 0;
  const writes = setInterval(async () => {
    if (!isWriting) return;
    const body = JSON.stringify({ description: `Measured ${count++} times` });
    const request = { method: "PATCH", body, headers: { ...site.session, "content-type": "application/json" } };
    const isWritten = await fetch(`${site.url}/api/v1/settings/site`, request).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isWritten) refused++;
  }, 1000);
  const speeds: [Speed[], Speed[]] = [[], []];
  for (let turn = 0; turn < rounds * 2; turn++) {
    isWriting = turn % 2 === 0;
    speeds[turn % 2]?.push(await load(target, seconds));
  }
  clearInterval(writes);
  const one = middle(speeds[0], "perSecond");
  return ratio({ one: { ...one, failed: one.failed + refused }, other: middle(speeds[1], "perSecond") }, { atLeast: 0.5 });
}

/** Reads one a time, alone and then while a crowd signs up that fills the queue for hashing. */
async function besideSignUps(site: BenchSite, { rounds, seconds }: Effort): Promise<Figure> {
  const reads = { ...sessionRead(site), connections: 1 };
  const [alone, beside, crowds]: [Speed[], Speed[], CrowdAnswers[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    alone.push(await load(reads, seconds));
    const crowd = new Crowd(site.url, SIGNING_UP);
    await crowd.isFull;
    beside.push(await load(reads, seconds));
    await crowd.leave();
    crowds.push(crowd.answers);
  }
  const p99 = (speeds: Speed[]) => median(speeds.map(({ p99Ms }) => p99Ms));
  const sum = (key: keyof CrowdAnswers) => crowds.reduce((total, answers) => total + answers[key], 0);
  const isSound = sum("failed") + [...alone, ...beside].reduce((total, { failed }) => total + failed, 0) === 0;
  const detail = `${p99(beside)} ms, against ${p99(alone)} ms; ${sum("accounts")} accounts, ${sum("refused")} times "come again"${isSound ? "" : ", and FAILURES"}`;
  return { figure: isSound ? p99(beside) / Math.max(1, p99(alone)) : Number.POSITIVE_INFINITY, bar: { atMost: 3 }, detail };
}

/** Two server processes against one, on the same data, asked through as many connections; they, the generator and PostgreSQL have two cores in both cases. */
function twoProcesses(database: Database): Row {
  return {
    name: "two server processes against one, reads with a session, all on the same two cores",
    measure: async (sites, { rounds, seconds }) => {
      const site = await sites.filled(database, SMALL);
      const sibling = await sites.sibling(site);
      const half = (url: string) => load({ url: url + COLLECTION, headers: site.session, connections: 8 }, seconds);
      const both = () => Promise.all([half(site.url), half(sibling.url)]);
      const alone = async () => [await load(sessionRead(site), seconds)];
      const turns: Record<"two" | "one", Turn[]> = { two: [], one: [] };
      const release = confineToTwoCores([site.pid, sibling.pid]);
      try {
        await both();
        for (let round = 0; round < rounds; round++) {
          turns.two.push(await withShares({ "the first": [site.pid], "the second": [sibling.pid] }, both));
          turns.one.push(await withShares({ "the first": [site.pid] }, alone));
        }
      } finally {
        release();
      }
      const [two, one] = [middle(turns.two, "perSecond"), middle(turns.one, "perSecond")];
      const failed = two.failed + one.failed;
      const detail = `${inTurn(two)}, against ${inTurn(one)}${failed ? `; ${failed} FAILED` : ""}`;
      return { figure: failed > 0 ? 0 : two.perSecond / one.perSecond, bar: { atLeast: 1.2 }, detail };
    },
  };
}

/** Answers of all that were asked at once, and which share of a core each process had. */
type Turn = { perSecond: number; failed: number; shares: string };

async function withShares(servers: Record<string, number[]>, ask: () => Promise<Speed[]>): Promise<Turn> {
  const shares = cpuShares({ ...servers, PostgreSQL: processesOf("postgres"), generator: [process.pid] });
  const speeds = await ask();
  const sum = (key: "perSecond" | "failed") => speeds.reduce((total, speed) => total + speed[key], 0);
  return { perSecond: sum("perSecond"), failed: sum("failed"), shares: shares() };
}

function inTurn({ perSecond, shares }: Turn): string {
  return `${Math.round(perSecond)}/s (of a core each: ${shares})`;
}

/** How many statements to PostgreSQL answer a request where nothing is kept. */
function statementsOf({ name, path, atMost }: (typeof STATEMENTS)[number]): Row {
  return {
    name: `statements to PostgreSQL for ${name}, nothing kept`,
    measure: async (sites) => {
      const relay = await sites.relay();
      const site = await sites.filled("postgresql", SMALL, { KEPT_ANSWERS_MB: "0" }, relay.port);
      const figure = await statementsPerRequest(relay, { url: site.url + path(site), connections: 1 });
      return { figure, bar: { atMost }, detail: "" };
    },
  };
}

/** Bar O12: how long most requests of a busy site take, of which one in ten writes, on 100,000 posts. Both rows tell of the same requests, which are asked once. */
function steadyLoad(database: Database): Row[] {
  const { rate, atMost } = STEADY_LOAD[database];
  let asked: Promise<{ reads: Speed; writes: Speed }> | undefined;
  return (["reads", "writes"] as const).map((kind) => ({
    name: `${kind} at ${rate} requests a second on ${database}, one in ten a write, on 100000 posts, to as many processes as a start has: p95 in ms`,
    measure: async (sites, effort) => {
      asked ??= askSteadily(sites, database, effort);
      const speed = (await asked)[kind];
      return { figure: speed.failed > 0 ? Number.POSITIVE_INFINITY : speed.p95Ms, bar: { atMost: atMost[kind] }, detail: inWords(speed) };
    },
  }));
}

async function askSteadily(sites: Sites, database: Database, { rounds, seconds }: Effort): Promise<{ reads: Speed; writes: Speed }> {
  const { rate } = STEADY_LOAD[database];
  // As many processes as a start has that nobody tells how many.
  const site = await sites.filled(database, { posts: 100_000 }, { WORKERS: "" });
  const { boards } = await (await fetch(site.url + COLLECTION)).json();
  // Each on its own count, so that every kind of read meets every board, and every board is written to.
  let readCount = 0;
  let writeCount = 0;
  const read = () => READS[readCount % READS.length]?.(site, boards[Math.floor(readCount++ / READS.length) % boards.length]) ?? {};
  const write = () => ({
    method: "PATCH" as const,
    path: `${COLLECTION}/${boards[writeCount++ % boards.length].boardId}`,
    body: JSON.stringify({ description: `Changed ${writeCount} times` }),
    headers: { ...site.session, "content-type": "application/json" },
  });
  const ask = async () => {
    const [reads, writes] = await Promise.all([
      steadily({ url: site.url, next: read }, { rate: rate * 0.9, seconds: 3 * seconds }),
      steadily({ url: site.url, next: write }, { rate: rate * 0.1, seconds: 3 * seconds }),
    ]);
    return { reads, writes };
  };
  // Once for nothing: what a process does for the first time, and the second, it has yet to compile.
  await ask();
  const turns: { reads: Speed; writes: Speed }[] = [];
  for (let round = 0; round < rounds; round++) turns.push(await ask());
  return {
    reads: middle(
      turns.map(({ reads }) => reads),
      "p95Ms",
    ),
    writes: middle(
      turns.map(({ writes }) => writes),
      "p95Ms",
    ),
  };
}

const STATEMENTS: { name: string; path: (site: BenchSite) => string; atMost: number }[] = [
  { name: `GET ${COLLECTION}, anonymous`, path: () => COLLECTION, atMost: 1 },
  { name: "the home page, anonymous", path: () => "/", atMost: 2 },
];

const STEADY_LOAD = {
  postgresql: { rate: 100, atMost: { reads: 100, writes: 200 } },
  embedded: { rate: 30, atMost: { reads: 150, writes: 300 } },
};

/** What is read of a site: its lists by programs with a session, its pages by visitors. */
const READS: ((site: BenchSite, board: { boardId: string; url: string }) => { path: string; headers?: Record<string, string> })[] = [
  ({ session }) => ({ path: COLLECTION, headers: session }),
  ({ session }, { boardId }) => ({ path: `${COLLECTION}/${boardId}`, headers: session }),
  () => ({ path: "/" }),
  (_site, { url }) => ({ path: `/boards/${encodeURIComponent(url)}` }),
  () => ({ path: "/search?q=idea" }),
];

/** The cursor behind a board that so many stand before in the list. */
async function cursorNear({ url, session }: BenchSite, place: number): Promise<string> {
  const limit = 100;
  const page = Math.floor(place / limit);
  const answer = await fetch(`${url}${COLLECTION}?page=${page}&limit=${limit}`, { headers: session });
  const { boards } = await answer.json();
  const { createdAt, boardId } = boards.at(-1);
  return cursorOf({ createdAt: new Date(createdAt), boardId });
}

/** The scripts that a page names. */
async function scriptsNamedBy(url: string): Promise<string[]> {
  const html = await (await fetch(url)).text();
  return [...html.matchAll(/<script[^>]+src="(\/_next\/[^"?]+\.js)/g)].flatMap(([, path]) => path ?? []);
}
