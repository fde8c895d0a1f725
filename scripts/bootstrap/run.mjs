import { spawn } from "node:child_process";
import { constants } from "node:os";
import process from "node:process";
import { hasTerminal } from "../../front/terminal.mjs";

/** A program that does not end by itself this long after it was told to is killed. A server finishes within ten seconds what is under way. */
const KILL_AFTER_MS = 12_000;
/** As to a step: an unfinished one is done anew. npm goes on installing for as long as it likes. */
const KILL_STEP_AFTER_MS = 2000;

/** @typedef {{ stop(signal: NodeJS.Signals): void, hangUp(): void }} Running */

/** @type {Set<Running>} */
const running = new Set();

/** @type {NodeJS.Signals | undefined} */
let askedToStopBy;

/** Thrown in place of a result when this process was told to stop while something ran. `code` is what shells call an end by that signal. */
export class Stopped extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`Stopped by ${signal}`);
    this.code = codeOf(signal);
  }
}

/**
 * From here on SIGTERM and SIGINT are passed on, once, to what runs; this process ends when that has ended.
 * npm passes a terminal's Ctrl-C on although we had it already, so repetitions are dropped.
 * SIGHUP is a stop where it tells of a terminal's end, and else passed on as it is.
 */
export function passSignalsOn() {
  /** @param {"SIGTERM" | "SIGINT"} signal */
  const stop = (signal) => {
    if (askedToStopBy) return;
    askedToStopBy = signal;
    for (const child of running) child.stop(signal);
  };
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT"])) process.on(signal, () => stop(signal));
  process.on("SIGHUP", () => {
    if (hasTerminal) stop("SIGTERM");
    else for (const child of running) child.hangUp();
  });
}

/** @throws Stopped when this process was told to stop */
export function throwIfStopped() {
  if (askedToStopBy) throw new Stopped(askedToStopBy);
}

/**
 * Runs a step and keeps what it says. It has a process group of its own, so that its helpers end with it.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, limitMs?: number }} options
 * @returns {Promise<{ code: number, output: string }>} a code other than 0 also for what ran longer than `limitMs`
 * @throws Stopped when this process was told to stop meanwhile
 */
export async function runQuietly(command, args, { cwd, env = process.env, limitMs }) {
  throwIfStopped();
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const limit = limitMs && setTimeout(() => killGroup(child.pid, "SIGKILL"), limitMs);
  const code = await ended(child, { kill: (signal) => killGroup(child.pid, signal), killAfterMs: KILL_STEP_AFTER_MS });
  clearTimeout(limit);
  throwIfStopped();
  return { code, output };
}

/**
 * Runs a program in the foreground, on this process's own terminal, and passes signals on to it: to it alone, or to its whole group.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, asGroup?: boolean }} options
 * @returns {Promise<number>} its exit code; where a signal ended it, 128 and the signal's number
 * @throws Stopped where it ended by the signal that this process was told to stop with
 */
export async function runInForeground(command, args, { cwd, env = process.env, asGroup = false }) {
  throwIfStopped();
  // By the channel it notices where this process is killed and could pass nothing on.
  const child = spawn(command, args, { cwd, env, detached: asGroup, stdio: [asGroup ? "ignore" : "inherit", "inherit", "inherit", "ipc"] });
  const kill = (/** @type {NodeJS.Signals} */ signal) => (asGroup ? killGroup(child.pid, signal) : child.kill(signal));
  const code = await ended(child, { kill, killAfterMs: KILL_AFTER_MS, hangUp: () => kill("SIGHUP") });
  if (child.signalCode === "SIGTERM" || child.signalCode === "SIGINT") throwIfStopped();
  return code;
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {{ kill: (signal: NodeJS.Signals) => void, killAfterMs: number, hangUp?: () => void }} ways `hangUp` is what SIGHUP means to it; without this nothing, for it would end a step
 * @returns {Promise<number>}
 */
function ended(child, { kill, killAfterMs, hangUp = () => {} }) {
  return new Promise((resolve, reject) => {
    /** @type {NodeJS.Timeout | undefined} */
    let killTimer;
    const entry = {
      /** @param {NodeJS.Signals} signal */
      stop(signal) {
        kill(signal);
        killTimer = setTimeout(() => kill("SIGKILL"), killAfterMs);
      },
      hangUp,
    };
    running.add(entry);
    const settle = () => {
      running.delete(entry);
      clearTimeout(killTimer);
    };
    child.once("error", (error) => {
      settle();
      reject(error);
    });
    child.once("close", (code, signal) => {
      settle();
      resolve(code ?? codeOf(signal));
    });
  });
}

/** @param {NodeJS.Signals | null} signal */
function codeOf(signal) {
  return 128 + (signal ? constants.signals[signal] : 0);
}

/**
 * @param {number | undefined} pid
 * @param {NodeJS.Signals} signal
 */
function killGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ESRCH") throw error;
  }
}
