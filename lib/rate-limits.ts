import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from "rate-limiter-flexible";
import { db } from "./db.ts";
import { env } from "./env.ts";
import { AppError } from "./errors.ts";
import { log } from "./log.ts";
import { countRefusal } from "./metrics.ts";
import type { RateLimit, RateLimitName } from "./rate-limits/defaults.ts";
import { authSecret } from "./secrets.ts";
import { describeFailure } from "./validation.ts";

/** What every request is counted by, also while the database is away. All else that is limited needs it anyway. */
const OF_REQUESTS: string[] = ["api", "api-user"] satisfies RateLimitName[];
/** What is waited for the database before this process counts requests on its own. */
const STORE_TIMEOUT_MS = 500;
/** How long it then goes on doing so. */
const STORE_REST_MS = 5000;
/** How many keys' points are kept at hand; past that all of them are asked for anew. */
const MAX_LEASES = 10_000;

/** Points of one key that this process took from the database in one go and has not spent. `isLast`: there are no more before `until`, in milliseconds since 1970. */
type Lease = { left: number; until: number; isLast?: boolean };

declare global {
  var heardRateLimits:
    | {
        limiters: Map<string, RateLimiterPostgres>;
        unidentified?: RateLimiterMemory;
        leases: Map<string, Lease>;
        asking: Map<string, Promise<void>>;
        restsUntil: number;
      }
    | undefined;
}

globalThis.heardRateLimits ??= { limiters: new Map(), leases: new Map(), asking: new Map(), restsUntil: 0 };
const state = globalThis.heardRateLimits;

/** Undoes what was counted, as long as its window lasts: it was none of what is limited after all. Never fails: what it belongs to has been decided. */
export type TakeBack = () => Promise<void>;

/**
 * Counts one more of what `name` limits by `key`, which is stored as a keyed hash alone. In the database, so that it holds across processes: where it
 * cannot be counted there, it fails as the database does. Who is refused is not counted.
 * @throws AppError RATE_LIMITED, with when to come again
 */
export async function countAttempt(name: RateLimitName, key: string): Promise<TakeBack> {
  const { isWithin, msBeforeNext, takeBack } = await countOne(name, key);
  if (!isWithin) throw triedTooOften(name, msBeforeNext);
  return takeBack;
}

/** The same for what need not be refused: null where it is past the limit. */
export async function countIfWithin(name: RateLimitName, key: string): Promise<TakeBack | null> {
  const { isWithin, takeBack } = await countOne(name, key);
  return isWithin ? takeBack : null;
}

/** How many are counted in this window; 0 with RATE_LIMITS=off. */
export async function attemptsOf(name: RateLimitName, key: string): Promise<number> {
  const counted = await limiterOf(name)?.get(await hashKey(name, key));
  return counted?.consumedPoints ?? 0;
}

/**
 * Counts a request, which come in great numbers: takes several points from the database in one go, and spends them from memory. While the database
 * does not answer, this process counts in its memory alone.
 * @throws AppError RATE_LIMITED, with when to come again
 */
export async function countRequest(name: RateLimitName, key: string): Promise<void> {
  const limiter = limiterOf(name);
  if (!limiter) return;
  const hash = await hashKey(name, key);
  // Of many at once one asks, and all spend what it brings: were each to take a lease, a few dozen would use up the limit, and other processes refuse.
  while (!spend(name, hash)) await (state.asking.get(hash) ?? askForLease(limiter, hash));
}

/**
 * Counts a request from `place` of whom the database is not there to look up: in this process's memory, and beside all other counts. So an outage uses up nobody's
 * requests, and nobody has more of them by it than who names nobody.
 * @throws AppError RATE_LIMITED, with when to come again
 */
export async function countUnidentified(place: string): Promise<void> {
  const limits = env().RATE_LIMITS;
  if (limits === "off") return;
  const { points, windowSeconds: duration } = limits.api;
  state.unidentified ??= new RateLimiterMemory({ points, duration });
  const limiter = state.unidentified;
  await orRefuse("api", () => limiter.consume(place));
}

/** Forgets everything counted by `key`. Never fails, as a `TakeBack`. */
export async function forgetAttempts(name: RateLimitName, key: string): Promise<void> {
  await orLeaveStanding(async () => limiterOf(name)?.delete(await hashKey(name, key)));
}

/**
 * Lets one through in `seconds`, and of any number at once only one. Taken back, the turn is whoever's comes next.
 * @throws AppError RATE_LIMITED, with when to come again
 */
export async function takeTurn(name: RateLimitName, key: string, seconds: number): Promise<TakeBack> {
  if (!limiterOf(name)) return async () => {};
  const [turns, hash] = [kept("turn", { points: 1, windowSeconds: 1 }), await hashKey(name, key)];
  const { msBeforeNext } = await orRefuse(name, () => turns.consume(hash, 1, { customDuration: seconds }));
  const own = windowOf(turns, hash, msBeforeNext);
  return () => orLeaveStanding(() => db.rateLimit.deleteMany({ where: own }));
}

/** Where a request comes from, as limits count it: the IP address; of an IPv6 one its /64 network, of which one customer has all addresses. */
export function placeOf(ip: string): string {
  return networkOf(ip, 64);
}

/** Where a request comes from, as those count it who take turns: of an IPv6 address its /48 network, for some customers have all of one (RFC 6177). */
export function widePlaceOf(ip: string): string {
  return networkOf(ip, 48);
}

/** The address itself or, of an IPv6 one in the spelling that the front server gives it, its network of so many bits. */
function networkOf(ip: string, bits: 48 | 64): string {
  if (!isIPv6(ip)) return ip;
  const [head = "", tail] = ip.split("::");
  const groups = head.split(":").filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter(Boolean).length;
  const all = [...groups, ...Array<string>(zeros).fill("0"), ...(tail?.split(":").filter(Boolean) ?? [])];
  return `${all.slice(0, bits / 16).join(":")}::/${bits}`;
}

/** Deletes counts whose window is over. Run hourly. */
export async function purgeRateLimits(): Promise<void> {
  await db.rateLimit.deleteMany({ where: { expire: { lte: Date.now() } } });
}

function limiterOf(name: RateLimitName): RateLimiterPostgres | null {
  const limits = env().RATE_LIMITS;
  return limits === "off" ? null : kept(name, limits[name]);
}

function kept(keyPrefix: string, limit: RateLimit): RateLimiterPostgres {
  const limiter = state.limiters.get(keyPrefix) ?? newLimiter(keyPrefix, limit);
  state.limiters.set(keyPrefix, limiter);
  return limiter;
}

function newLimiter(keyPrefix: string, { points, windowSeconds: duration }: RateLimit): RateLimiterPostgres {
  const isInsured = OF_REQUESTS.includes(keyPrefix);
  return new RateLimiterPostgres({
    storeClient: { query: isInsured ? queryStoreInTime : queryStore },
    storeType: "pool",
    tableName: "RateLimit",
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix,
    points,
    duration,
    insuranceLimiter: isInsured ? new RateLimiterMemory({ keyPrefix, points, duration }) : undefined,
  });
}

/** Counts one more. One that is past the limit is taken back at once: else a crowd that was refused could keep others out. */
async function countOne(name: RateLimitName, key: string): Promise<{ isWithin: boolean; msBeforeNext: number; takeBack: TakeBack }> {
  const limiter = limiterOf(name);
  if (!limiter) return { isWithin: true, msBeforeNext: 0, takeBack: async () => {} };
  const hash = await hashKey(name, key);
  const [isWithin, { msBeforeNext }] = await limiter.consume(hash, 1).then(
    (counted) => [true, counted] as const,
    (error: unknown) => {
      if (!isRefusal(error)) throw error;
      return [false, error] as const;
    },
  );
  const own = windowOf(limiter, hash, msBeforeNext);
  // Not by the limiter, which would go below nothing, and let more through.
  const takeBack = () => orLeaveStanding(() => db.rateLimit.updateMany({ where: { ...own, points: { gt: 0 } }, data: { points: { decrement: 1 } } }));
  if (!isWithin) await takeBack();
  return { isWithin, msBeforeNext, takeBack };
}

/** The row of a window that has so many milliseconds left, and not of one that begins after it. */
function windowOf(limiter: RateLimiterPostgres, hash: string, msBeforeNext: number) {
  return { key: limiter.getKey(hash), expire: { lte: Date.now() + msBeforeNext } };
}

async function orLeaveStanding(takeBack: () => Promise<unknown>): Promise<void> {
  try {
    await takeBack();
  } catch (error) {
    log.warn({ reason: describeFailure(error) }, "a count of a limit could not be taken back: it stands until its window ends");
  }
}

async function orRefuse(name: RateLimitName, consume: () => Promise<RateLimiterRes>): Promise<RateLimiterRes> {
  try {
    return await consume();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw triedTooOften(name, error.msBeforeNext);
  }
}

/** Told by what it carries: the limiter may come from the process's other module graph, which has a class of its own. */
function isRefusal(error: unknown): error is RateLimiterRes {
  return typeof (error as Partial<RateLimiterRes> | null)?.msBeforeNext === "number";
}

function triedTooOften(name: RateLimitName, msBeforeNext: number): AppError {
  countRefusal(name);
  const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new AppError("RATE_LIMITED", `That was tried too often. Try again in ${retryAfterSeconds} seconds.`, { retryAfterSeconds });
}

type StoreQuery = { text: string; values: (string | number | null)[] };
type StoreAnswer = { rowCount: number; rows: { points: number; expire: number | null }[] };

/** What the limiter asks of `pg`, asked of whichever database this is. Its one statement counts, and begins a new window, atomically. */
async function queryStore({ text, values }: StoreQuery): Promise<StoreAnswer> {
  const rows = await db.$queryRawUnsafe<{ points: number; expire: bigint | null }[]>(text, ...values.map(asBigint));
  return { rowCount: rows.length, rows: rows.map(({ points, expire }) => ({ points, expire: expire === null ? null : Number(expire) })) };
}

/** The same, unless that takes too long: then for a moment it is not asked at all. */
async function queryStoreInTime(query: StoreQuery): Promise<StoreAnswer> {
  if (Date.now() < state.restsUntil) throw new Error("The database is being left alone for a moment.");
  try {
    return await within(STORE_TIMEOUT_MS, queryStore(query));
  } catch (error) {
    // Of many that were asked at once each fails: one line says it.
    if (Date.now() >= state.restsUntil) log.warn({ err: error }, "requests are counted in memory for a moment: the database does not answer");
    state.restsUntil = Date.now() + STORE_REST_MS;
    throw error;
  }
}

/** Instants are milliseconds, which need more than the four bytes of PostgreSQL's integer. */
function asBigint(value: string | number | null): string | number | bigint | null {
  return typeof value === "number" && value > 0x7fffffff ? BigInt(value) : value;
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Neither addresses nor networks are stored, only what cannot be guessed without the site's secret. */
async function hashKey(name: RateLimitName, key: string): Promise<string> {
  return createHmac("sha256", await authSecret())
    .update(`${name} ${key}`)
    .digest("base64url");
}

/** A twentieth of the limit, as long as that divides it: all of a limit can then be used. */
function leaseSize(points: number): number {
  for (let size = Math.floor(points / 20); size > 1; size--) if (points % size === 0) return size;
  return 1;
}

/**
 * Takes a point that is at hand; false when there is none.
 * @throws AppError RATE_LIMITED when there are no more until the window ends
 */
function spend(name: RateLimitName, hash: string): boolean {
  const lease = leaseOf(hash);
  if (lease && lease.left > 0) {
    lease.left--;
    return true;
  }
  if (lease?.isLast) throw triedTooOften(name, lease.until - Date.now());
  return false;
}

/** Takes a lease for all who wait for one of this key. */
function askForLease(limiter: RateLimiterPostgres, hash: string): Promise<void> {
  const asking = takeLease(limiter, hash).finally(() => state.asking.delete(hash));
  state.asking.set(hash, asking);
  return asking;
}

async function takeLease(limiter: RateLimiterPostgres, hash: string): Promise<void> {
  const size = leaseSize(limiter.points);
  const [left, { msBeforeNext }] = await limiter.consume(hash, size).then(
    (counted) => [size, counted] as const,
    (error: unknown) => {
      if (!isRefusal(error)) throw error;
      return [0, error] as const;
    },
  );
  if (state.leases.size >= MAX_LEASES) state.leases.clear();
  state.leases.set(hash, { left, until: Date.now() + msBeforeNext, isLast: left === 0 });
}

function leaseOf(hash: string): Lease | undefined {
  const lease = state.leases.get(hash);
  return lease && lease.until > Date.now() ? lease : undefined;
}
