import cluster, { type Worker } from "node:cluster";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { env } from "#lib/env";
import { log, logWritten } from "#lib/log";
import type { SiblingMessage } from "#lib/siblings";
import { freePort } from "./listen.ts";
import { handQuestionsOn, tell } from "./questions.ts";
import { hasTerminal } from "./terminal.mjs";

const REPLACE_AFTER_MS = 1_000;
const MAX_REPLACE_AFTER_MS = 30_000;
/** The first serves so long before others load their code beside it: the page that somebody waits for is its very first, and takes all of a small machine. */
const FIRST_ALONE_MS = 1_500;
/** A process may migrate a large database before it is ready; one that joins others is not waited for longer than this. */
const READY_WITHIN_MS = 5 * 60_000;
/** Longer than the 9 s that a process takes at most which ends as it should (`shutDown` in site.ts, and its last lines), shorter than process managers wait. */
const ENDS_WITHIN_MS = 9_300;
/**
 * One that is not ready may be deaf while it loads Next's code: on a busy machine for longer than all may take. It has begun no request that its end would
 * break; the very first alone is asked already, and answers at once that it is starting.
 */
const UNREADY_ENDS_WITHIN_MS = 3_000;

/** By what a process is told to end: by this one, or by a terminal that tells all. One that loads code may not have learnt yet what to do then. */
const TELLING_SIGNALS = new Set(["SIGTERM", "SIGINT", "SIGHUP"]);

/** Those that have said that they are ready. */
const ready = new WeakSet<Worker>();
/** Those that did not end when they were told to, and so were killed: whether they were ready by then. That they are may still be on the way. */
const killed = new WeakMap<Worker, boolean>();

/**
 * Runs `count` processes that serve the site behind one port. One that ends by itself is replaced; on SIGHUP fresh ones take over one after another;
 * SIGTERM and SIGINT stop all, and this process ends with 0 if each of them did. Where the first does not get ready this process ends as it ended.
 */
export async function runWorkers(count: number): Promise<void> {
  // Each accepts for itself. Handed on in turns, a connection whose process is killed before it took it would never be closed (`round_robin_handle` in Node's `cluster`).
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ execArgv: withoutEnvFiles(process.execArgv) });
  handQuestionsOn();
  const family = new Workers(count);
  const stop = () => void family.stop();
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  process.once("disconnect", stop);
  process.on("SIGHUP", hasTerminal ? stop : () => family.roll());
  await family.start();
}

/** Node's flags without `--env-file`, in both spellings: handed on, it would have each fresh process read what was written there since the start. */
function withoutEnvFiles(flags: string[]): string[] {
  return flags.filter((flag, index) => !flag.startsWith("--env-file") && !/^--env-file(-if-exists)?$/.test(flags[index - 1] ?? ""));
}

class Workers {
  readonly #count: number;
  readonly #settings: Record<string, string> = { HEARD_SIBLINGS_SECRET: randomUUID() };
  readonly #retired = new WeakSet<Worker>();
  #stopping: Promise<void> | undefined;
  #filling: Promise<void> | undefined;
  #rolling: Promise<void> | undefined;

  constructor(count: number) {
    this.#count = count;
  }

  async start(): Promise<void> {
    // Where any port will do it is chosen here, and may be lost in the moment between: `cluster` shares what is asked for in the same words alone, and who joins names
    // its own origin before it listens.
    if (env().PORT === 0) this.#settings.PORT = String(await freePort(env().HOST));
    await this.#add().catch(async ({ code }: Ended) => {
      await this.#stopping;
      process.exit(code);
    });
    await this.#fill(FIRST_ALONE_MS);
  }

  stop(): void {
    this.#stopping ??= stopAll().then((code) => logWritten().then(() => process.exit(code)));
  }

  roll(): void {
    if (this.#stopping) return;
    if (this.#rolling) return log.warn("fresh server processes are taking over already: SIGHUP was not heeded");
    this.#rolling = this.#takeOver().finally(() => {
      this.#rolling = undefined;
    });
  }

  async #takeOver(): Promise<void> {
    await this.#filling;
    log.info("fresh server processes take over");
    for (const old of workers()) {
      // One that ended meanwhile is made up for in the end.
      if (this.#stopping || old.isDead()) continue;
      if (!(await this.#isAdded())) {
        if (!this.#stopping) log.error("a fresh server process did not get ready: those that run go on");
        return;
      }
      this.#retired.add(old);
      tell(old, { heard: "retire" });
      await ended(old);
    }
    await this.#fill();
    if (!this.#stopping) log.info("fresh server processes have taken over");
  }

  /** After `afterMs`, starts processes until there are as many as there should be; whoever else asks for that meanwhile waits for the same. */
  #fill(afterMs = 0): Promise<void> {
    this.#filling ??= sleep(afterMs)
      .then(() => this.#fillUp())
      .finally(() => {
        this.#filling = undefined;
      });
    return this.#filling;
  }

  async #fillUp(): Promise<void> {
    let waitMs = REPLACE_AFTER_MS;
    const isComplete = () => workers().filter((worker) => !this.#retired.has(worker)).length >= this.#count;
    if (isComplete()) return;
    while (!this.#stopping && !isComplete()) {
      if (await this.#isAdded()) continue;
      await sleep(waitMs);
      waitMs = Math.min(waitMs * 2, MAX_REPLACE_AFTER_MS);
    }
    if (!this.#stopping) log.info("every server process serves");
  }

  async #add(withinMs?: number): Promise<void> {
    const worker = await startWorker(this.#settings, withinMs);
    worker.once("exit", (code, signal) => {
      const end = { pid: worker.process.pid, code, signal };
      if (this.#stopping || this.#retired.has(worker)) {
        if (code !== 0 && !killed.has(worker)) log.error(end, "a server process was to end, and did not end cleanly");
        return;
      }
      log.error(end, "a server process ended by itself: another one takes its place");
      void (this.#rolling ?? sleep(REPLACE_AFTER_MS)).then(() => this.#fill());
    });
  }

  #isAdded(): Promise<boolean> {
    return this.#add(READY_WITHIN_MS).then(
      () => true,
      () => false,
    );
  }
}

/** Why a process did not get ready. What it said of it stands on standard error already. */
class Ended extends Error {
  override name = "Ended";
  readonly code: number;

  constructor(code: number) {
    super(`A server process ended with ${code} before it was ready.`);
    this.code = code;
  }
}

/**
 * Starts one process and waits until it serves.
 * @throws Ended if it cannot be started, ends before, or is not ready `withinMs` and so is ended
 */
function startWorker(settings: Record<string, string>, withinMs?: number): Promise<Worker> {
  const worker = cluster.fork(settings);
  const timer = withinMs && setTimeout(() => worker.process.kill("SIGKILL"), withinMs);
  return new Promise((resolve, reject) => {
    worker.on("message", (message: SiblingMessage) => {
      if (message.heard !== "ready") return;
      clearTimeout(timer);
      ready.add(worker);
      resolve(worker);
    });
    // Where the system starts no more, as where a limit of processes is reached, there is no end to hear of. Unheard, it would end this process, and all others with it.
    worker.on("error", (error) => {
      if (ready.has(worker)) return log.error({ pid: worker.process.pid, err: error }, "a server process could not be told something");
      clearTimeout(timer);
      log.error({ err: error }, "a server process could not be started");
      reject(new Ended(1));
    });
    worker.once("exit", (code, signal) => {
      clearTimeout(timer);
      if (signal !== null && !TELLING_SIGNALS.has(signal) && !wasReady(worker))
        log.warn({ pid: worker.process.pid, signal }, "a server process was killed before it was ready");
      reject(new Ended(code ?? 1));
    });
  });
}

/** Stops every process, and returns 0 if each ended well. */
async function stopAll(): Promise<number> {
  const outcomes = workers().map((worker) => {
    worker.process.kill("SIGTERM");
    return ended(worker);
  });
  return (await Promise.all(outcomes)).every(Boolean) ? 0 : 1;
}

/**
 * Waits until a process that was told to end has done so, and ends one that hangs. Returns whether it ended as it should: where it was not ready yet, by
 * what told it or by being killed for it, too.
 */
async function ended(worker: Worker): Promise<boolean> {
  if (worker.isDead()) return true;
  const kill = () => {
    if (ready.has(worker)) log.error({ pid: worker.process.pid }, "a server process does not end, and is killed");
    killed.set(worker, ready.has(worker));
    worker.process.kill("SIGKILL");
  };
  // Asked only then: that it is ready may have been on the way when it was told to end.
  const timers = [setTimeout(() => ready.has(worker) || kill(), UNREADY_ENDS_WITHIN_MS), setTimeout(kill, ENDS_WITHIN_MS)];
  const [code, signal] = await once(worker, "exit");
  for (const timer of timers) clearTimeout(timer);
  return code === 0 || (!wasReady(worker) && (killed.has(worker) || TELLING_SIGNALS.has(signal)));
}

/** Whether a process that ended was ready before. */
function wasReady(worker: Worker): boolean {
  return killed.get(worker) ?? ready.has(worker);
}

/** Those that run: `cluster` keeps one that could not be started among its own. */
function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker?.process.pid !== undefined && !worker.isDead()) as Worker[];
}
