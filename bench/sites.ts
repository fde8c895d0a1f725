import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer, type TestServer } from "#e2e/server";
import { startSite, type TestSite } from "#e2e/site";
import { emptySettings } from "#lib/testing/settings";
import { countStatements, type Relay } from "./statements.ts";

export type Database = "embedded" | "postgresql";

/**
 * How every site differs from one as it comes: a log line for each request would be measured, too, limits would refuse what one address asks so often, and
 * what one process does is to be seen. Rows that differ from it say so.
 */
export const SETTINGS = { LOG_LEVEL: "warn", RATE_LIMITS: "off", WORKERS: "1" };

/** How many rows of what the generator is to make. */
export type Size = { boards?: number; people?: number; posts: number };

/** The site of all that does not depend on how large it is. */
export const SMALL: Size = { posts: 1000 };

/** A site with generated boards, and where a row reads of it. */
export type BenchSite = TestSite & { boardPath: string; session: { authorization: string } };

/** Starts everything that is measured, and ends it. */
export class Sites {
  readonly #closers: (() => Promise<unknown> | unknown)[] = [];
  readonly #sites = new Map<string, Promise<BenchSite>>();
  #relay: Promise<Relay> | undefined;

  /** The site on such a database, reached by the port `through` if given, with so many rows, served by one process unless `env` says otherwise: made when it is first asked for. */
  filled(database: Database, size: Size, env: Record<string, string> = {}, through?: number): Promise<BenchSite> {
    const key = JSON.stringify([database, size, env, through]);
    const known = this.#sites.get(key) ?? this.#fill(database, size, env, through);
    this.#sites.set(key, known);
    return known;
  }

  /** One more process on a site's data. */
  async sibling(site: TestServer): Promise<TestServer> {
    const sibling = await startServer({ from: site, env: SETTINGS });
    this.#closers.push(() => sibling.stop());
    return sibling;
  }

  /** A server of Node's own that gives out what `url` answers just now. Returns its address. */
  async bare(url: string): Promise<string> {
    const answer = await fetch(url);
    const dropped = ["connection", "keep-alive", "transfer-encoding", "date", "content-encoding"];
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => !dropped.includes(name)));
    const folder = mkdtempSync(join(tmpdir(), "heard-bench-"));
    const file = join(folder, "answer.json");
    const body = await answer.text();
    writeFileSync(file, JSON.stringify({ body, headers: { ...headers, "content-length": String(Buffer.byteLength(body)) } }));
    const child = spawn(process.execPath, ["bench/bare-server.ts", file], { stdio: ["ignore", "pipe", "inherit"] });
    this.#closers.push(
      () => end(child),
      () => rmSync(folder, { recursive: true }),
    );
    const [port] = await once(child.stdout, "data");
    return `http://127.0.0.1:${Number(port)}/`;
  }

  /** Counts statements on the way to PostgreSQL; one for all who ask. */
  async relay(): Promise<Relay> {
    this.#relay ??= countStatements(Number(new URL(process.env.TEST_DATABASE_URL ?? "").port || 5432));
    return this.#relay;
  }

  /** How long a start takes until the server is ready, in milliseconds: on nothing, and on what that left. */
  async startTimes(database: Database): Promise<[number, number]> {
    const timed = async (from?: TestServer): Promise<[TestServer, number]> => {
      const startedAt = performance.now();
      const server = await startServer({ database, from, env: SETTINGS });
      return [server, Math.round(performance.now() - startedAt)];
    };
    const [first, cold] = await timed();
    await first.stop();
    const [second, warm] = await timed(first);
    await second.stop();
    await first.remove();
    return [cold, warm];
  }

  async close(): Promise<void> {
    for (const close of this.#closers.reverse()) await close();
    (await this.#relay)?.close();
  }

  async #fill(database: Database, size: Size, env: Record<string, string>, through?: number): Promise<BenchSite> {
    const site = await startSite({ database, through, env: { ...SETTINGS, ...env } });
    this.#closers.push(() => site.remove());
    await generate(site, size);
    const { boards } = await (await fetch(`${site.url}/api/v1/boards`)).json();
    const session = { authorization: `Bearer ${site.owner.authToken}` };
    return { ...site, boardPath: `/boards/${encodeURIComponent(boards[0].url)}`, session };
  }
}

/** `npm run demo`, with its progress. */
async function generate({ dataDir, databaseUrl }: TestServer, { boards, people = 1000, posts }: Size): Promise<void> {
  const sizes = Object.entries({ boards, people, posts }).flatMap(([name, size]) => (size === undefined ? [] : [`--${name}`, String(size)]));
  const env = { ...process.env, ...emptySettings(), DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, ["scripts/demo.ts", ...sizes], { env, stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`The generator ended with ${code}.`);
}

async function end(child: ChildProcess): Promise<void> {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
