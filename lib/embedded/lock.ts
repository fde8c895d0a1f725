import { chmodSync, closeSync, constants, existsSync, fstatSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { StartupError } from "../startup-error.ts";

const LOCK_FILE = "heard.lock";
const HOLDER_FILE = "heard.holder.json";

/** How often a holder shows that it lives, to machines that cannot see its lock. */
const BEAT_MS = 1000;
/** How long such a machine looks for a beat before it takes the holder for dead: several beats, and under the 5 s a refusal may take. */
const SILENCE_MS = 4000;
const POLL_MS = 200;

/** SQLITE_BUSY: another connection holds the lock (https://www.sqlite.org/rescode.html). */
const SQLITE_BUSY = 5;

type Holder = { pid: number; host: string; kernel: string; since: string; nonce: string };

/** Held until `release`, or until the process ends in whatever way. */
export type DirectoryLock = { release(): Promise<void> };

/**
 * Takes `directory` for this process alone, at once when a former holder was killed.
 *
 * The lock is the kernel's own (fcntl), on a file of its own: it ends with the process however that ends, needs no clean-up that two
 * starters could race for, and holds between containers that share a kernel, where process ids and host names say nothing. SQLite
 * takes it for us, because Node has no call for it. Closing any descriptor of a file drops the process's fcntl locks on it, so
 * nothing else may ever open `heard.lock`.
 *
 * On a network volume another kernel may not see that lock. So the holder also writes who it is to `heard.holder.json` and touches
 * that file every second; a starter on another kernel waits for such a beat before it believes the holder dead, and a holder that
 * finds itself replaced ends at once.
 * @throws StartupError naming the holder, or saying why the directory cannot be locked
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const holderPath = join(directory, HOLDER_FILE);
  const kernelLock = await takeKernelLock(directory, holderPath);
  try {
    const stale = readHolder(holderPath);
    const me = describeMyself();
    if (stale && stale.kernel !== me.kernel) await outwait(holderPath, stale, directory);
    writeHolder(holderPath, me, directory);
    if (stale && stale.kernel !== me.kernel) await stillMine(holderPath, me, directory);
    const heart = startHeart(holderPath, me.nonce);
    return {
      async release() {
        await heart.terminate();
        rmSync(holderPath, { force: true });
        kernelLock.close();
      },
    };
  } catch (error) {
    kernelLock.close();
    throw error;
  }
}

async function takeKernelLock(directory: string, holderPath: string): Promise<DatabaseSync> {
  const path = join(directory, LOCK_FILE);
  let connection: DatabaseSync | undefined;
  try {
    // One's own that is read-only is made writable; then one that was just made is closed to others.
    closeToOthers(path);
    connection = new DatabaseSync(path);
    closeToOthers(path);
    // On a file that may only be read SQLite would lock for reading, beside others: what writes fails there. In `MEMORY`,
    // because a journal would lie beside it, and a database opened as `defensive`, which is Node's default, knows no `OFF`.
    connection.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1");
    return connection;
  } catch (error) {
    connection?.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) throw inUse(directory, await awaitHolder(holderPath));
    throw cannotLock(directory, error as Error);
  }
}

/** Makes a file this user's alone, and theirs to write, where it is there: whoever may read the lock's could lock it, too. By its path, which opens nothing. */
function closeToOthers(path: string): void {
  try {
    if (statSync(path).isFile()) chmodSync(path, 0o600);
  } catch {
    // Its file system knows no modes, or it is another user's: whether it may be written to shows when it is.
  }
}

/** Who holds the lock; given a moment, for one who took it just now has yet to write its name. Null where this user cannot read who it is. */
async function awaitHolder(path: string): Promise<Holder | null> {
  for (let waited = 0; waited < 1000; waited += POLL_MS) {
    const holder = readableHolder(path);
    if (holder) return holder;
    await sleep(POLL_MS);
  }
  return null;
}

/** The lock is held, whoever holds it: that its name cannot be read says nothing else. */
function readableHolder(path: string): Holder | null {
  try {
    return readHolder(path);
  } catch {
    return null;
  }
}

/** Returns once the holder on another kernel has let go, or has been silent for `SILENCE_MS`. */
async function outwait(path: string, stale: Holder, directory: string): Promise<void> {
  const lastBeat = beatOf(path);
  for (let waited = 0; waited < SILENCE_MS; waited += POLL_MS) {
    await sleep(POLL_MS);
    const beat = beatOf(path);
    if (beat === null) return;
    if (beat !== lastBeat) throw inUse(directory, readHolder(path) ?? stale);
  }
}

/** Of two kernels that took over at once, the one that wrote last goes on. */
async function stillMine(path: string, me: Holder, directory: string): Promise<void> {
  await sleep(2 * BEAT_MS);
  const holder = readHolder(path);
  if (holder?.nonce !== me.nonce) throw inUse(directory, holder);
}

/** Says in the holder's file who holds the directory from now on. @throws StartupError where it may not be written to */
function writeHolder(path: string, me: Holder, directory: string): void {
  try {
    closeToOthers(path);
    writeFileSync(path, JSON.stringify(me), { mode: 0o600 });
  } catch (error) {
    throw cannotLock(directory, error as Error);
  }
}

/** Touches the holder file from a thread of its own: a long query stops the main thread, and must not look like death. */
function startHeart(path: string, nonce: string): Worker {
  const heart = new Worker(HEART, { eval: true, workerData: { path, nonce, everyMs: BEAT_MS } });
  heart.unref();
  return heart;
}

const HEART = `
const { readFileSync, utimesSync, writeSync } = require("node:fs");
const { workerData: { path, nonce, everyMs } } = require("node:worker_threads");
setInterval(() => {
  try {
    if (JSON.parse(readFileSync(path, "utf8")).nonce === nonce) return utimesSync(path, new Date(), new Date());
  } catch {
    return;
  }
  writeSync(2, JSON.stringify({ level: 60, time: new Date().toISOString(), msg: "Another Heard has taken over the data directory: ending at once." }) + "\\n");
  process.kill(process.pid, "SIGKILL");
}, everyMs);
`;

function describeMyself(): Holder {
  return { pid: process.pid, host: hostname(), kernel: kernelId(), since: new Date().toISOString(), nonce: crypto.randomUUID() };
}

/** Names the running kernel, which all its containers share. Elsewhere than on Linux the host's name is as good: there are no containers. */
function kernelId(): string {
  const path = "/proc/sys/kernel/random/boot_id";
  return existsSync(path) ? readFileSync(path, "utf8").trim() : hostname();
}

/** Who has said that it holds the directory; null where nobody has, or not in a way that can be read. @throws StartupError as `lookAt` */
function readHolder(path: string): Holder | null {
  const text = lookAt(path, (fd) => readFileSync(fd, "utf8"));
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** The time of the last beat, or null once the holder has let go. @throws StartupError as `lookAt` */
function beatOf(path: string): number | null {
  return lookAt(path, (fd) => fstatSync(fd).mtimeMs);
}

/**
 * What `look` sees of the holder's file, or null where there is none. Opens it each time, because that is what makes a network
 * file system ask its server anew.
 * @throws StartupError where the file is there and cannot be read: that is not a holder that has let go
 */
function lookAt<Seen>(path: string, look: (fd: number) => Seen): Seen | null {
  let fd: number | undefined;
  try {
    // Whoever opened a pipe would wait for somebody to write into it.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(fd).isFile()) throw new Error(`${HOLDER_FILE} is no file`);
    return look(fd);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw cannotLock(dirname(path), error as Error);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function cannotLock(directory: string, cause: Error): StartupError {
  return new StartupError(
    `The data directory ${directory} cannot be locked (${cause.message}): put DATA_DIR on a local disk, whose file system locks files and has room, give this user all that lies in it, and, while no Heard runs there, remove a ${LOCK_FILE} or ${HOLDER_FILE} that Heard did not write.`,
    { cause },
  );
}

function inUse(directory: string, holder: Holder | null): StartupError {
  const who = holder ? `process ${holder.pid} on host ${holder.host}, since ${holder.since}` : "a process that has not said its name";
  return new StartupError(`The data directory ${directory} is in use by another Heard (${who}): stop that one first, or give this one a DATA_DIR of its own.`, {
    isInUse: true,
  });
}
