import cluster, { type Worker } from "node:cluster";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "#lib/log";
import type { SiblingMessage } from "#lib/siblings";
import { hasTerminal } from "../bootstrap/terminal.mjs";

const REPLACE_AFTER_MS = 1_000;
const MAX_REPLACE_AFTER_MS = 30_000;

type Ready = { worker: Worker; address: string; port: number };

/**
 * Runs `count` processes that serve the site behind one port. One that ends by itself is replaced; on SIGHUP fresh ones take over one after another;
 * SIGTERM and SIGINT stop all, and this process ends with 0 if each of them did. Where the first does not get ready this process ends as it ended.
 */
export async function runWorkers(count: number): Promise<void> {
  handQuestionsOn();
  const retired = new WeakSet<Worker>();
  // Where the first one listens the others do, also if that was any free port.
  let settings: Record<string, string> = { HEARD_SIBLINGS_SECRET: randomUUID() };
  let stopping: Promise<void> | undefined;
  let isRolling = false;

  async function add(): Promise<Ready> {
    const ready = await startWorker(settings);
    const { worker } = ready;
    worker.once("exit", (code, signal) => {
      if (stopping || retired.has(worker)) return;
      log.error({ pid: worker.process.pid, code, signal }, "a server process ended by itself: another one takes its place");
      void replace();
    });
    return ready;
  }

  async function replace(): Promise<void> {
    for (let waitMs = REPLACE_AFTER_MS; ; waitMs = Math.min(waitMs * 2, MAX_REPLACE_AFTER_MS)) {
      await sleep(waitMs);
      if (stopping) return;
      if (await isAdded()) return log.info("every server process serves");
    }
  }

  const isAdded = () =>
    add().then(
      () => true,
      () => false,
    );

  async function roll(): Promise<void> {
    if (stopping || isRolling) return;
    isRolling = true;
    log.info("fresh server processes take over");
    for (const old of workers()) {
      if (!(await isAdded())) {
        isRolling = false;
        return log.error("a fresh server process did not get ready: those that run go on");
      }
      retired.add(old);
      tell(old, { heard: "retire" });
      if (!old.isDead()) await once(old, "exit");
    }
    isRolling = false;
    log.info("every server process serves");
  }

  const stop = () => {
    stopping ??= stopAll().then((code) => process.exit(code));
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  process.once("disconnect", stop);
  process.on("SIGHUP", () => (hasTerminal ? stop() : void roll()));

  const { address, port } = await add().catch(async ({ code }: Ended) => {
    await stopping;
    process.exit(code);
  });
  settings = { ...settings, HOST: address, PORT: String(port) };
  while (!stopping && workers().length < count) if (!(await isAdded())) await sleep(REPLACE_AFTER_MS);
  log.info("every server process serves");
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
 * @throws Ended if it ends before
 */
function startWorker(settings: Record<string, string>): Promise<Ready> {
  const worker = cluster.fork(settings);
  return new Promise((resolve, reject) => {
    worker.on("message", (message: SiblingMessage) => message.heard === "ready" && resolve({ worker, ...message }));
    worker.once("exit", (code) => reject(new Ended(code ?? 1)));
  });
}

/** Stops every process, and returns 0 if each ended well. */
async function stopAll(): Promise<number> {
  const codes = workers().map(async (worker) => {
    worker.process.kill("SIGTERM");
    const [code] = await once(worker, "exit");
    return code === 0;
  });
  return (await Promise.all(codes)).every(Boolean) ? 0 : 1;
}

/** Hands what one process asks to all others that have joined, and their answers back when the last one has come. */
function handQuestionsOn(): void {
  const joined = new Set<Worker>();
  const open = new Map<number, { waiting: Set<Worker>; answers: unknown[]; done: (answers: unknown[]) => void }>();
  let count = 0;

  const settle = (id: number, worker: Worker) => {
    const question = open.get(id);
    question?.waiting.delete(worker);
    if (!question || question.waiting.size > 0) return;
    open.delete(id);
    question.done(question.answers);
  };

  cluster.on("message", (worker, message: SiblingMessage) => {
    if (message.heard === "joined") joined.add(worker);
    if (message.heard === "ask") {
      const id = count++;
      const others = [...joined].filter((other) => other !== worker);
      open.set(id, { waiting: new Set(others), answers: [], done: (answers) => tell(worker, { heard: "answers", id: message.id, answers }) });
      for (const other of others) tell(other, { ...message, id });
      settle(id, worker);
    }
    if (message.heard === "answer") {
      open.get(message.id)?.answers.push(message.answer);
      settle(message.id, worker);
    }
  });
  cluster.on("exit", (worker) => {
    joined.delete(worker);
    for (const id of open.keys()) settle(id, worker);
  });
}

function tell(worker: Worker, message: SiblingMessage): void {
  if (worker.isConnected()) worker.send(message);
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}
