import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { format } from "node:util";
import next from "next";
import { serveControl } from "#lib/control";
import { closeDatabase, databaseKind, openDatabase } from "#lib/db";
import { EnvError, env, useProductionMode } from "#lib/env";
import { ensureJobSchema, stopJobs } from "#lib/jobs";
import { log } from "#lib/log";
import { migrate } from "#lib/migrate";
import { closeHashing } from "#lib/passwords";
import { isStartupError } from "#lib/startup-error";
import { COMMANDS } from "./commands.ts";
import { migrationLine } from "./migration-progress.ts";
import { createFront, type Front, refuseBrokenRequest } from "./serve/front.ts";
import { listen } from "./serve/listen.ts";
import { startScreen } from "./serve/screen.ts";
import { settingsProblem } from "./settings-problem.ts";

const isDev = process.argv.includes("--dev");
// Open requests get this long to finish; with the database's closing it stays below the 10 s that process managers grant.
const DRAIN_MS = 7_000;
const SWEEP_EVERY_MS = 50;

type Running = { server: Server; front: Front; closeNext?: () => Promise<void> };

/** What `npm start` ends in: opens and migrates the database, starts Next behind our own small server, and says where it is. */
async function serve(): Promise<void> {
  const startedAt = Date.now();
  if (!isDev) useProductionMode();
  const settings = env();
  const front = createFront();
  // Nothing here speaks another protocol, save Next's development mode: who offers one (`curl --http2` does) is answered in this one,
  // and Next, which would keep the connection open for good, never hears of it.
  const server = createServer({ shouldUpgradeCallback: () => isDev }, front.handle);
  const running: Running = { server, front };
  stopOnSignals(running);
  server.requestTimeout = 60_000;
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 65_000;
  server.on("clientError", refuseBrokenRequest);
  // Listening comes first: a taken port is known before anything is opened, and whoever calls meanwhile hears "starting".
  await listen(server, settings.HOST, settings.PORT);
  await openDatabase();
  await migrate({ onProgress: (progress) => process.stdout.write(`${migrationLine(progress)}\n`) });
  await ensureJobSchema();
  if (databaseKind() === "embedded") await serveControl(settings.DATA_DIR, COMMANDS);
  const { port } = server.address() as AddressInfo;
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
  await stopJobs({ timeoutMs: 1_500 });
  await closeHashing();
  await closeNext?.().catch((error: unknown) => log.warn({ err: error }, "Next did not close cleanly"));
  await closeDatabase();
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
  else log.fatal({ err: error }, "Heard cannot go on");
  process.exit(1);
}

// Whatever a library says is a log line too.
for (const [method, level] of [
  ["log", "info"],
  ["info", "info"],
  ["warn", "warn"],
  ["error", "error"],
  ["debug", "debug"],
] as const) {
  console[method] = (...words: unknown[]) => log[level](format(...words));
}
process.on("unhandledRejection", (error) => log.error({ err: error }, "a rejection was not handled"));

await serve().catch(fail);
