import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { throwIfStopped } from "./run.mjs";

const LOOK_AGAIN_MS = 200;
const HEARTBEAT_EVERY_MS = 2000;
/** A holder we cannot look at (another container, another host) counts as dead after this long without a heartbeat. */
const DEAD_AFTER_MS = 30_000;

/** @typedef {{ token: string, pid: number, startedAt: string, processes: string }} Holder */

/**
 * Runs `work` while no other process does so with the same `path`; waits for its turn, and takes over from a holder that died.
 * @template Result
 * @param {string} path
 * @param {{ onWait: () => void }} options
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function withLock(path, { onWait }, work) {
  mkdirSync(dirname(path), { recursive: true });
  const token = randomUUID();
  let hasWaited = false;
  while (!tryTake(path, token)) {
    throwIfStopped();
    if (!removeIfDead(path)) {
      if (!hasWaited) onWait();
      hasWaited = true;
      await sleep(LOOK_AGAIN_MS);
    }
  }
  const heartbeat = setInterval(() => touch(path), HEARTBEAT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if (readHolder(path)?.token === token) rmSync(path, { force: true });
  }
}

/**
 * @param {string} path
 * @param {string} token
 */
function tryTake(path, token) {
  /** @type {Holder} */
  const holder = { token, pid: process.pid, startedAt: startOf(process.pid), processes: visibleProcesses() };
  try {
    writeFileSync(path, JSON.stringify(holder), { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Two that find the same dead holder must not both remove it, the second one a fresh lock: only who makes the `.takeover` file may.
 * @param {string} path
 */
function removeIfDead(path) {
  if (!isDead(path)) return false;
  const takeover = `${path}.takeover`;
  try {
    closeSync(openSync(takeover, "wx"));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    if (ageMs(takeover) > DEAD_AFTER_MS) rmSync(takeover, { force: true });
    return false;
  }
  try {
    if (isDead(path)) rmSync(path, { force: true });
    return true;
  } finally {
    rmSync(takeover, { force: true });
  }
}

/** @param {string} path */
function isDead(path) {
  const holder = readHolder(path);
  if (holder && holder.processes === visibleProcesses()) return startOf(holder.pid) !== holder.startedAt;
  return ageMs(path) > DEAD_AFTER_MS;
}

/**
 * @param {string} path
 * @returns {Holder | undefined} undefined while the file is gone or not yet written
 */
function readHolder(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** @param {string} path */
function ageMs(path) {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}

/** @param {string} path */
function touch(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Somebody removed the folder; `work` will notice if it matters.
  }
}

/** Which set of pids this process sees: a boot and a container on Linux; elsewhere nothing is known, and the heartbeat decides. */
function visibleProcesses() {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return `unknown ${process.pid}`;
  }
}

/**
 * When a process started, so that a pid used again is not taken for the holder; empty if there is none, or one that has ended and that
 * nobody has asked about yet.
 * @param {number} pid
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? "" : (rest[18] ?? "");
  } catch {
    return "";
  }
}
