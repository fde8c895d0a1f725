import cluster from "node:cluster";
import { createServer, type Server } from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";
import { setImmediate } from "node:timers/promises";
import next from "next";
import { noteChange } from "#lib/changes";
import { startHearing } from "#lib/changes/hearing";
import { assertSocketPlace, serveControl } from "#lib/control";
import { closeDatabase, databaseKind, db, openDatabase } from "#lib/db";
import { BLANK_DATABASE, BLANK_SITE } from "#lib/embedded/blank";
import { env, keepNextFromEnvFiles, setActionKey, setNextOrigin } from "#lib/env";
import { ensureJobSchema, stopJobs } from "#lib/jobs";
import { log, logWritten } from "#lib/log";
import { readMetrics } from "#lib/metrics";
import { migrate } from "#lib/migrate";
import { guardOutbound } from "#lib/outbound";
import { closeHashing } from "#lib/passwords";
import { actionKey } from "#lib/secrets";
import { answerSiblings, hasSiblings, onRetire, sendToPrimary } from "#lib/siblings";
import { getSite } from "#server/settings";
import { addressOf } from "./address.ts";
import { COMMANDS } from "./commands.ts";
import { createFront, type Front } from "./front.ts";
import { listen } from "./listen.ts";
import { migrationLine } from "./migration-progress.ts";
import { refuseBrokenRequest } from "./refusals.ts";
import { startScreen } from "./screen.ts";
import { startProblem } from "./start-problem.ts";
import { hasTerminal } from "./terminal.mjs";
import { openPrivateDoor, warmUp } from "./warm-up.ts";

// Open requests get this long to finish; with the database's closing it stays below the 10 s that process managers grant.
const DRAIN_MS = 5_500;
const SWEEP_EVERY_MS = 50;
// Of that time: a crowd that goes on coming does not keep the process up.
const TAKE_UP_MS = 4_000;
// One in which none came might have ended just before the kernel had the next.
const IDLE_TURNS = 2;
/** How often the server looks for requests that do not arrive in time. */
const CHECK_EVERY_MS = 5_000;
// Where another process has taken over, whoever is connected may just be sending: longer than a busy proxy leaves a connection unused.
const LINGER_MS = 1_500;

type Running = { server: Server; front: Front; control?: NetServer; closeNext?: () => Promise<void> };

/** Whether this process was told to stop. What a start fails with from then on is no news: what it needs is being closed. */
let isStopping = false;

/** Opens and migrates the database, starts Next behind our own small server, and says where it is. Ends the process where that fails. */
export async function serveSite({ isDev }: { isDev: boolean }): Promise<void> {
  await start(isDev).catch(fail);
}

async function start(isDev: boolean): Promise<void> {
  const startedAt = Date.now();
  const settings = env();
  const front = createFront();
  // Nothing here speaks another protocol, save Next's development mode: who offers one (`curl --http2` does) is answered in this one,
  // and Next, which would keep the connection open for good, never hears of it.
  // A request without a host is refused by the front, in the form of every other failure.
  const server = createServer({ shouldUpgradeCallback: () => isDev, requireHostHeader: false, connectionsCheckingInterval: CHECK_EVERY_MS }, front.handle);
  const running: Running = { server, front };
  stopOnSignals(running);
  server.requestTimeout = 60_000;
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 65_000;
  // Who reads nothing of an answer for so long does not want it. Longer than a request may take, whose sender is to hear 408. Development may take longer to answer.
  if (!isDev) server.timeout = server.requestTimeout + 2 * CHECK_EVERY_MS;
  server.on("clientError", refuseBrokenRequest);
  server.on("checkExpectation", front.handle);
  // Listening comes first: a taken port is known before anything is opened, and whoever calls meanwhile hears "starting".
  // A process that joins others lets them answer until it is ready and warm.
  const door = isLaterWorker() ? await openPrivateDoor(front.handle) : undefined;
  if (!door) await listen(server, settings.HOST, settings.PORT);
  const { address, port } = door ? { address: settings.HOST, port: settings.PORT } : (server.address() as AddressInfo);
  const ownOrigin = addressOf(address, port);
  setNextOrigin(ownOrigin);
  await guardOutbound([ownOrigin, door?.origin, settings.RESEND_BASE_URL].filter((origin) => origin !== undefined));
  if (databaseKind() === "embedded") assertSocketPlace(settings.DATA_DIR);
  // In development the migrations may be newer than the build that made it.
  await openDatabase({ blank: isDev ? BLANK_DATABASE : BLANK_SITE });
  await migrate({ onProgress: (progress) => process.stderr.write(`${migrationLine(progress)}\n`) });
  await ensureJobSchema();
  await startHearing();
  if (databaseKind() === "embedded") running.control = await serveControl(settings.DATA_DIR, COMMANDS);
  setActionKey(await actionKey());
  // So that an error page knows what the site is called. Where it cannot be read, pages say so themselves.
  await getSite().catch((error: unknown) => log.warn({ err: error }, "The site's settings could not be read at the start."));
  // The last that is asked of the database here: from now on it may be away, and a process that loads Next's code is deaf for seconds.
  const isFresh = (await db.siteSettings.count()) === 0;
  // In development Next takes what is written there in at once, by itself.
  if (!isDev) keepNextFromEnvFiles();
  const app = next({ dev: isDev, dir: process.cwd(), hostname: settings.HOST, port, httpServer: server });
  running.closeNext = () => app.close();
  await app.prepare();
  front.start(app.getRequestHandler());
  if (door) await warmUp(door);
  answerSiblings({
    // One that runs an older version beside this one says of nothing what it was about.
    changed: (about = [""]) => {
      for (const each of about) noteChange(each);
    },
    figures: readMetrics,
  });
  // Before this nobody told of changes, one of which may be missing in what was kept.
  noteChange();
  // Told to stop while it got ready, it does not open the port any more.
  if (isStopping) return;
  if (door) {
    door.close();
    await listen(server, settings.HOST, settings.PORT);
  }
  sendToPrimary({ heard: "ready" });
  if (!door) process.stdout.write(startScreen({ address, port, isFresh, isDev, tookMs: Date.now() - startedAt }));
}

/** Whether others of the same start serve already while this process gets ready. */
function isLaterWorker(): boolean {
  return (cluster.worker?.id ?? 1) > 1;
}

function stopOnSignals(running: Running): void {
  const stop = (reason: string, lingerMs = 0) => {
    // Ctrl-C reaches us from the terminal and again through npm: once is enough. But if another took over, that one is now told to stop as well.
    if (isStopping) {
      if (lingerMs === 0) running.front.drain("stopping");
      return;
    }
    isStopping = true;
    log.info({ signal: reason }, "stopping");
    shutDown(running, lingerMs)
      .then(logWritten)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.fatal({ err: error }, "Heard did not end cleanly");
          process.exit(1);
        },
      );
  };
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("SIGINT"));
  onRetire(() => stop("another took over", LINGER_MS));
  // Of several processes the one that started them decides when they end, and what SIGHUP means, which each of them bears (`front/main.ts`).
  if (hasSiblings()) return;
  process.once("disconnect", () => stop("whoever started it ended"));
  if (hasTerminal) process.on("SIGHUP", () => stop("SIGHUP"));
  else
    process.on("SIGHUP", () => log.warn("On SIGHUP fresh processes take over where there are several: with WORKERS=1 nothing was done. Restart it instead."));
}

async function shutDown({ server, front, control, closeNext }: Running, lingerMs: number): Promise<void> {
  front.drain(lingerMs === 0 ? "stopping" : "taken over");
  const cutAt = Date.now() + DRAIN_MS;
  // Where another took over, it takes up what comes.
  if (lingerMs === 0) await untilTakenUp(server);
  await closeServer(server, { lingerMs, cutAt });
  await atMost(1_500, stopJobs({ timeoutMs: 1_000 }), "jobs");
  await closeHashing();
  // It waits for what is done after answers, such as the letter for a new password.
  await atMost(1_000, closeNext?.(), "Next");
  // Its socket goes with it, while this process still has the data directory.
  control?.close();
  // The embedded database is closed in any case: the next start is faster for it. But during a start it may be being made, which takes longer, and bears to be cut off.
  await (databaseKind() === "embedded" && closeNext ? closeDatabase() : atMost(500, closeDatabase(), "database"));
}

/** Waits for a part to end, but not for one that hangs on a database that says nothing: the process ends within its time. */
async function atMost(ms: number, work: Promise<void> | undefined, part: string): Promise<void> {
  const late = new Promise<string>((resolve) => setTimeout(resolve, ms, "late").unref());
  const outcome = await Promise.race([work, late]).catch((error: unknown) => log.warn({ err: error, part }, "a part did not end cleanly"));
  if (outcome === "late") log.warn({ part, ms }, "a part did not end in time");
}

/**
 * Until the server has taken up the connections that were made before: each turn of the event loop takes one from the kernel (libuv 1.46),
 * and closing would break those that still wait there. So many turns without one, and there is none.
 */
async function untilTakenUp(server: Server): Promise<void> {
  let [idleTurns, isIdle] = [0, true];
  const note = () => (isIdle = false);
  server.on("connection", note);
  for (const end = Date.now() + TAKE_UP_MS; idleTurns < IDLE_TURNS && Date.now() < end; ) {
    isIdle = true;
    await setImmediate();
    idleTurns = isIdle ? idleTurns + 1 : 0;
  }
  server.off("connection", note);
}

/** Takes no new connections, and ends those that are there when their answers are out; `lingerMs` long those without a question may still ask one, and at `cutAt` all end. */
function closeServer(server: Server, { lingerMs, cutAt }: { lingerMs: number; cutAt: number }): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), cutAt - Date.now());
    let sweep: NodeJS.Timeout | undefined;
    // A connection whose answer began before the stop was promised to stay: it is idle only when that answer is out.
    const linger = setTimeout(() => {
      server.closeIdleConnections();
      sweep = setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS);
    }, lingerMs);
    // The HTTP server's own `close` would end idle connections at once.
    NetServer.prototype.close.call(server, () => {
      for (const timer of [cut, linger, sweep]) clearTimeout(timer);
      resolve();
    });
  });
}

function fail(error: unknown): void {
  if (isStopping) return;
  const problem = isLaterWorker() ? startProblem(error, "This process cannot start.") : startProblem(error);
  if (!problem) log.fatal({ err: error }, "Heard cannot go on");
  // The site runs, and its log is one of lines that programs read.
  else if (isLaterWorker()) log.warn({ reason: problem }, "a server process could not get ready");
  else process.stderr.write(problem);
  process.exit(1);
}
