import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { format, stripVTControlCharacters } from "node:util";
import next from "next";
import { startHearing } from "#lib/changes/hearing";
import { serveControl } from "#lib/control";
import { closeDatabase, databaseKind, isUnavailable, openDatabase } from "#lib/db";
import { EnvError, env, setNextOrigin, useProductionMode } from "#lib/env";
import { ensureJobSchema, stopJobs } from "#lib/jobs";
import { log, withoutQuotations } from "#lib/log";
import { migrate } from "#lib/migrate";
import { guardOutbound } from "#lib/outbound";
import { closeHashing } from "#lib/passwords";
import { isStartupError } from "#lib/startup-error";
import { describeFailure } from "#lib/validation";
import { COMMANDS } from "./commands.ts";
import { migrationLine } from "./migration-progress.ts";
import { createFront, type Front } from "./serve/front.ts";
import { listen } from "./serve/listen.ts";
import { refuseBrokenRequest } from "./serve/refusals.ts";
import { startScreen } from "./serve/screen.ts";
import { settingsProblem } from "./settings-problem.ts";

const isDev = process.argv.includes("--dev");
// Open requests get this long to finish; with the database's closing it stays below the 10 s that process managers grant.
const DRAIN_MS = 6_000;
const SWEEP_EVERY_MS = 50;

type Running = { server: Server; front: Front; closeNext?: () => Promise<void> };

/** What `npm start` ends in: opens and migrates the database, starts Next behind our own small server, and says where it is. */
async function serve(): Promise<void> {
  const startedAt = Date.now();
  if (!isDev) useProductionMode();
  const settings = env();
  if (settings.WORKERS > 1) log.warn({ workers: settings.WORKERS }, "WORKERS is not acted on yet: there is one server process.");
  const front = createFront();
  // Nothing here speaks another protocol, save Next's development mode: who offers one (`curl --http2` does) is answered in this one,
  // and Next, which would keep the connection open for good, never hears of it.
  // A request without a host is refused by the front, in the form of every other failure.
  const server = createServer({ shouldUpgradeCallback: () => isDev, requireHostHeader: false }, front.handle);
  const running: Running = { server, front };
  stopOnSignals(running);
  server.requestTimeout = 60_000;
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 65_000;
  // Who reads nothing of an answer for a minute does not want it. Development may take longer to make one.
  if (!isDev) server.timeout = 60_000;
  server.on("clientError", refuseBrokenRequest);
  server.on("checkExpectation", front.handle);
  // Listening comes first: a taken port is known before anything is opened, and whoever calls meanwhile hears "starting".
  await listen(server, settings.HOST, settings.PORT);
  const { address, family, port } = server.address() as AddressInfo;
  const ownOrigin = `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
  setNextOrigin(ownOrigin);
  await guardOutbound([ownOrigin, settings.RESEND_BASE_URL].filter((origin) => origin !== undefined));
  await openDatabase();
  await migrate({ onProgress: (progress) => process.stdout.write(`${migrationLine(progress)}\n`) });
  await ensureJobSchema();
  await startHearing();
  if (databaseKind() === "embedded") await serveControl(settings.DATA_DIR, COMMANDS);
  const app = next({ dev: isDev, dir: process.cwd(), hostname: settings.HOST, port, httpServer: server });
  running.closeNext = () => app.close();
  await app.prepare();
  front.start(app.getRequestHandler());
  process.stdout.write(await startScreen({ port, isDev, tookMs: Date.now() - startedAt }));
}

function stopOnSignals(running: Running): void {
  let isStopping = false;
  const stop = (signal: string) => {
    // Ctrl-C reaches us from the terminal and again through npm: once is enough.
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, "stopping");
    shutDown(running).then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

async function shutDown({ server, front, closeNext }: Running): Promise<void> {
  front.drain();
  await closeServer(server);
  await atMost(2_000, stopJobs({ timeoutMs: 1_500 }), "jobs");
  await closeHashing();
  await atMost(500, closeNext?.(), "Next");
  // The embedded database is closed in any case: the next start is faster for it.
  await (databaseKind() === "embedded" ? closeDatabase() : atMost(500, closeDatabase(), "database"));
}

/** Waits for a part to end, but not for one that hangs on a database that says nothing: the process ends within its time. */
async function atMost(ms: number, work: Promise<void> | undefined, part: string): Promise<void> {
  const late = new Promise<string>((resolve) => setTimeout(resolve, ms, "late").unref());
  const outcome = await Promise.race([work, late]).catch((error: unknown) => log.warn({ err: error, part }, "a part did not end cleanly"));
  if (outcome === "late") log.warn({ part, ms }, "a part did not end in time");
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    // A connection whose answer began before the stop was promised to stay: it is idle only when that answer is out.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(sweep);
      resolve();
    });
  });
}

function fail(error: unknown): never {
  if (error instanceof EnvError) process.stderr.write(settingsProblem(error));
  else if (isStartupError(error)) process.stderr.write(`Heard cannot start. ${error.message}\n`);
  else if (isUnavailable(error))
    process.stderr.write(
      `Heard cannot go on. The database was lost on the way, or does not take what every start writes (${describeFailure(error)}): see that it can be reached, has room on its disk, and is not kept from writing.\n`,
    );
  else log.fatal({ err: error }, "Heard cannot go on");
  process.exit(1);
}

// Whatever a library says is a log line too, but for what it quotes, which may be what somebody sent.
for (const [method, level] of [
  ["log", "info"],
  ["info", "info"],
  ["warn", "warn"],
  ["error", "error"],
  ["debug", "debug"],
] as const) {
  console[method] = (...words: unknown[]) => log[level](withoutQuotations(stripVTControlCharacters(format(...words))));
}
process.on("unhandledRejection", (error) => log.error({ err: error }, "a rejection was not handled"));

await serve().catch(fail);
