import { createHmac, randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { getRounds } from "bcryptjs";
import { Piscina } from "piscina";
import { env } from "./env.ts";
import { temporarilyUnavailable } from "./errors.ts";
import { log } from "./log.ts";
import { MAX_PASSWORD_LENGTH } from "./password-strength.ts";
import type { HashingTask } from "./password-worker.ts";
import { normalized } from "./text.ts";

/** OWASP Password Storage Cheat Sheet asks for 10 or more; 12 takes about 0.3 s in JavaScript. */
export const BCRYPT_COST = 12;
// bcryptjs README: only the first 72 bytes of UTF-8 are read.
const BCRYPT_MAX_BYTES = 72;
const MAX_WAIT_MS = 10_000;
// What one or a few slots can do within that wait, with room for a crowd that finds its hash needless; each waiter holds its request in memory.
export const MAX_WAITING = 256;
// The hash of a password nobody has: an unknown address costs as much time as a wrong password.
const NOBODYS_HASH = "$2b$12$aXfDTuygnLFVauYmEs8JQ.EVayTr6gMO/6zaB1VJ.ZueMoUsj8K4K";

type Waiter = { start(): void; refuse(reason: string): void };
/** Who waits in each place, the place whose turn it is first. */
type Waiting = Map<string, Waiter[]>;
type Hashing = { threads: Piscina; busy: number; waiting: Waiting };

declare global {
  var heardHashing: Hashing | undefined;
}

/**
 * How many passwords this process hashes at once: its share of one fewer than there are cores, so that sign-ins leave readers one; but at least one. With as
 * many processes as cores none is kept free, and the system's scheduler shares them.
 */
export function hashingSlots(): number {
  return Math.max(1, Math.floor((availableParallelism() - 1) / env().WORKERS));
}

/**
 * Runs `work` when one of the few hashing slots is free. The places that requests come from take turns, each serving who came first: whoever comes from elsewhere waits for what
 * is under way and one of a crowd, not for all of it. What could make the hash needless (an address that was taken meanwhile) is to be looked up inside, so that a crowd with one address hashes once.
 * @throws AppError SERVER_ERROR (503) when too many wait already and no place has many more of them than this one, or the wait takes too long
 */
export async function withHashingSlot<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
  const state = hashing();
  if (state.busy < hashingSlots()) state.busy++;
  else await waitForSlot(state.waiting, place);
  try {
    return await work();
  } finally {
    const next = takeNext(state.waiting);
    if (next) next.start();
    else state.busy--;
  }
}

/** A password for who has none, of 120 random bits: letters and digits, which every command line and every form takes as they are. */
export function createPassword(): string {
  return randomBytes(15).toString("hex");
}

/** The bcrypt hash of `password` for the account `userId`. To be called inside `withHashingSlot`. */
export async function hashPassword(password: string, userId: string): Promise<string> {
  const task: HashingTask = { key: bcryptKey(password, userId), cost: BCRYPT_COST };
  return hashing().threads.run(task);
}

/** Whether `password` is the one of this account. Without an account it takes the same time and says no. To be called inside `withHashingSlot`. */
export async function verifyPassword(password: string, account: { userId: string; passwordHash: string } | null): Promise<boolean> {
  const task: HashingTask = { key: bcryptKey(password, account?.userId ?? "nobody"), hash: account?.passwordHash ?? NOBODYS_HASH };
  const isMatch: boolean = await hashing().threads.run(task);
  return isMatch && account !== null;
}

/** Whether a stored hash was made with less effort than hashes are made with now: then the next sign-in is the chance to make it anew. */
export function isOutdated(passwordHash: string): boolean {
  return getRounds(passwordHash) < BCRYPT_COST;
}

/** Ends the hashing threads of this process, if there are any. */
export async function closeHashing(): Promise<void> {
  const state = globalThis.heardHashing;
  globalThis.heardHashing = undefined;
  await state?.threads.close({ force: true });
}

/** Normalized, so that two keyboards agree. What bcrypt would cut off (past 72 bytes) or wrap (at a NUL) goes through an HMAC first, so that every character counts. */
function bcryptKey(password: string, userId: string): string {
  // No stored password is longer: a longer one is wrong, and only has to take as long.
  const text = normalized(password, MAX_PASSWORD_LENGTH);
  const isWhole = Buffer.byteLength(text) <= BCRYPT_MAX_BYTES && !text.includes("\0");
  return isWhole ? text : createHmac("sha384", userId).update(text).digest("base64");
}

function hashing(): Hashing {
  globalThis.heardHashing ??= { threads: openThreads(), busy: 0, waiting: new Map() };
  return globalThis.heardHashing;
}

function openThreads(): Piscina {
  const threads = new Piscina({ filename: join(process.cwd(), "lib/password-worker.ts"), minThreads: 0, maxThreads: hashingSlots(), idleTimeout: 60_000 });
  // A thread that dies between two tasks is replaced by itself; without a listener it would end the process.
  threads.on("error", (error) => log.error({ err: error }, "A thread that hashes passwords was lost."));
  return threads;
}

function waitForSlot(waiting: Waiting, place: string): Promise<void> {
  if (countOf(waiting) >= MAX_WAITING) makeRoom(waiting, place);
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      start() {
        clearTimeout(timer);
        resolve();
      },
      refuse(reason) {
        clearTimeout(timer);
        replace(waiting, place, (waiters) => waiters.filter((each) => each !== waiter));
        reject(temporarilyUnavailable(new Error(reason)));
      },
    };
    const timer = setTimeout(() => waiter.refuse("waited too long for a hashing slot"), MAX_WAIT_MS);
    replace(waiting, place, (waiters) => [...waiters, waiter]);
  });
}

/** Who came first in the place whose turn it is, which is the last to have another. */
function takeNext(waiting: Waiting): Waiter | undefined {
  const [place = "", [next, ...others] = []] = waiting.entries().next().value ?? [];
  waiting.delete(place);
  replace(waiting, place, () => others);
  return next;
}

/** Where no more may wait, whoever came last in the place with most of them gives way. */
function makeRoom(waiting: Waiting, place: string): void {
  const [crowd = []] = [...waiting.values()].sort((a, b) => b.length - a.length);
  if (crowd.length <= (waiting.get(place)?.length ?? 0) + 1) throw temporarilyUnavailable(new Error("the hashing queue is full"));
  crowd.at(-1)?.refuse("the hashing queue is full, and no place has more of it");
}

function countOf(waiting: Waiting): number {
  return [...waiting.values()].reduce((count, { length }) => count + length, 0);
}

/** Who waits in `place`, changed; its turn stays where it is. */
function replace(waiting: Waiting, place: string, change: (waiters: Waiter[]) => Waiter[]): void {
  const waiters = change(waiting.get(place) ?? []);
  if (waiters.length > 0) waiting.set(place, waiters);
  else waiting.delete(place);
}
