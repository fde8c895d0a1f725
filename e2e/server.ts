import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { NODE_FLAGS } from "#lib/testing/node-flags";
import { createDatabase, dropDatabase } from "#lib/testing/postgres";
import { emptySettings } from "#lib/testing/settings";

const READY_WITHIN_MS = 60_000;
const READY_IN_DEVELOPMENT_WITHIN_MS = 90_000;
const LOOK_AGAIN_MS = 100;
const STOP_WITHIN_MS = 12_000;

/** An email address, the password that most tests use, what is as long as a token and as mixed, and a cookie of ours. */
const TELLS_A_SECRET =
  /[\w.+-]+(@|%40)[\w-]+(\.[A-Za-z]{2,})+|a long enough password|(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{43}(?![\w-])|heard\.(session|device)=/;

export type TestServer = {
  url: string;
  dataDir: string;
  /** Empty where the database is embedded. */
  databaseUrl: string;
  pid: number;
  /** What it has said so far: standard output and standard error. */
  logs(): string;
  /** What of it came on standard error, line by line: its log. */
  logLines(): string[];
  /** Asks it to stop, waits, and returns its exit code. Data stay. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
};

type ServerOptions = {
  /** The engine; without it the one that TEST_DATABASE_URL chooses. */
  database?: "embedded" | "postgresql";
  /** Settings that differ from a fresh site's: no limits, mail in the outbox, logs on. `undefined` leaves one to the file that `flags` may name. */
  env?: Record<string, string | undefined>;
  /** The migrated database to begin with a copy of, as `lib/testing/template.ts` provides it: faster than migrating an empty one. */
  template?: string;
  /** A port of this machine that leads to PostgreSQL, and that the server is to reach it by. */
  through?: number;
  /** Starts it as `npm run dev` does: from the sources, each page compiled when it is first asked for. */
  isDev?: boolean;
  /** The program, with its arguments, to run it under, such as `strace`. */
  under?: string[];
  /** Node's own flags, such as `--env-file=.env`. */
  flags?: string[];
  /** Data of an earlier server to go on with. */
  from?: Pick<TestServer, "dataDir" | "databaseUrl">;
  /** Another checkout than this one. */
  checkout?: string;
};

/** Starts Heard as `npm start` does, once built, on a port and with a database of its own, and waits until it is ready. */
export async function startServer({
  database,
  env = {},
  template,
  through,
  isDev = false,
  under = [],
  flags = [],
  from,
  checkout,
}: ServerOptions = {}): Promise<TestServer> {
  const dataDir = from?.dataDir ?? (await mkdtemp(join(tmpdir(), "heard-e2e-")));
  const databaseUrl = from?.databaseUrl ?? (await databaseFor(database, template));
  if (template && !databaseUrl && !from) await cp(template, join(dataDir, "db"), { recursive: true });
  const settings = {
    // Whichever it gets: one that is chosen here and free may be somebody else's by the time the server listens.
    PORT: "0",
    DATA_DIR: dataDir,
    DATABASE_URL: through ? withPort(databaseUrl, through) : databaseUrl,
    MAIL: "outbox",
    RATE_LIMITS: "off",
    LOG_LEVEL: "info",
    // What several processes have to do together has tests of its own.
    WORKERS: "1",
    ...env,
  };
  const mode = { NODE_ENV: isDev ? "development" : "production", NEXT_TELEMETRY_DISABLED: "1" } as const;
  const [program = "", ...args] = [...under, process.execPath, ...(isDev ? ["scripts/dev.mjs"] : [...NODE_FLAGS, ...flags, "front/main.ts"])];
  const child = spawn(program, args, {
    cwd: checkout,
    env: { ...process.env, ...emptySettings(), ...settings, ...mode },
  });
  let said = "";
  let logged = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  child.stderr.on("data", (text) => (logged += text));
  const withinMs = isDev ? READY_IN_DEVELOPMENT_WITHIN_MS : READY_WITHIN_MS;
  const url = `http://127.0.0.1:${settings.PORT === "0" ? await portSaid(child, () => said, withinMs) : settings.PORT}`;
  const logLines = () => logged.split("\n").filter(Boolean);
  const stopServer = async (signal?: NodeJS.Signals) => {
    const code = await stop(child, signal);
    refuseSecrets(logLines());
    return code;
  };
  const server = { url, dataDir, databaseUrl, pid: child.pid as number, logs: () => said, logLines, stop: stopServer };
  const remove = async () => {
    try {
      await server.stop();
    } finally {
      await rm(dataDir, { recursive: true, force: true });
      if (databaseUrl) await dropDatabase(databaseUrl);
    }
  };
  await untilReady(child, url, withinMs).catch(async (error: Error) => {
    await remove().catch(() => {});
    throw new Error(`${error.message}. It said:\n${said}`);
  });
  return { ...server, remove };
}

/** P3, of whatever story a log tells. The build's own files may have names as long as a token. */
function refuseSecrets(lines: string[]): void {
  const telling = lines.filter((line) => TELLS_A_SECRET.test(line.replace(/[._]next\/[\w./@~-]*/g, "")));
  if (telling.length > 0) throw new Error(`P3: its log tells an address, a password, a token or a cookie:\n${telling.slice(0, 10).join("\n")}`);
}

async function databaseFor(kind: ServerOptions["database"], template?: string): Promise<string> {
  const admin = process.env.TEST_DATABASE_URL;
  if (kind === "embedded" || (!kind && !admin)) return "";
  if (!admin) throw new Error("TEST_DATABASE_URL must name a PostgreSQL for this test");
  return createDatabase(admin, template && `TEMPLATE "${template}"`);
}

function withPort(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return url.href;
}

/** The port that a server chose by itself, as its screen says it. */
async function portSaid(child: ChildProcess, said: () => string, withinMs: number): Promise<string> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline && !hasEnded(child)) {
    const [, port] = said().match(/^ {2}Listens on \S+:(\d+)[, ]/m) ?? [];
    if (port) return port;
    await sleep(LOOK_AGAIN_MS);
  }
  return "0";
}

async function untilReady(child: ChildProcess, url: string, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    if (hasEnded(child)) throw new Error(`The server ended with ${child.exitCode ?? child.signalCode} instead of getting ready`);
    const response = await fetch(`${url}/api/health/ready`).catch(() => undefined);
    if (response?.ok) return;
    await sleep(LOOK_AGAIN_MS);
  }
  throw new Error(`The server was not ready within ${withinMs / 1000} s`);
}

async function stop(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
  if (hasEnded(child)) return child.exitCode;
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.kill(signal);
  const killTimer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  await ended;
  clearTimeout(killTimer);
  return child.exitCode;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
