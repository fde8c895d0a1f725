import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { db, isUnavailable } from "./db.ts";
import { log } from "./log.ts";
import {
  attemptsOf,
  countAttempt,
  countIfWithin,
  countRequest,
  countUnidentified,
  forgetAttempts,
  placeOf,
  purgeRateLimits,
  takeTurn,
  widePlaceOf,
} from "./rate-limits.ts";
import { useDatabase } from "./testing/database.ts";

vi.hoisted(() => Object.assign(process.env, { RATE_LIMITS: "signup=3/60s,api=40/60s,login-account=2/60s" }));

useDatabase();

/** Only the date is moved, so it begins where the timers are. */
const START = Date.now();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  globalThis.heardRateLimits?.leases.clear();
  globalThis.heardRateLimits?.limiters.clear();
  Object.assign(globalThis.heardRateLimits ?? {}, { restsUntil: 0 });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** How many of `count` at once are let through. */
async function passedOf(count: number, attempt: () => Promise<unknown>): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, attempt));
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

test("of a crowd as many get through as the limit says, and the rest hear when to come again", async () => {
  expect(await passedOf(20, () => countAttempt("signup", "10.0.0.1"))).toBe(3);

  vi.setSystemTime(START + 20_500);
  await expect(countAttempt("signup", "10.0.0.1")).rejects.toMatchObject({ code: "RATE_LIMITED", status: 429, retryAfterSeconds: 40 });
  expect(await passedOf(1, () => countAttempt("signup", "10.0.0.2"))).toBe(1);
});

test("a window ends when it says so, however often was tried meanwhile, and the next one is whole", async () => {
  await passedOf(10, () => countAttempt("signup", "10.0.0.1"));
  vi.setSystemTime(START + 59_000);
  expect(await passedOf(5, () => countAttempt("signup", "10.0.0.1"))).toBe(0);

  vi.setSystemTime(START + 60_001);
  expect(await passedOf(5, () => countAttempt("signup", "10.0.0.1"))).toBe(3);
});

test("what was no attempt after all is taken back, and all can be forgotten", async () => {
  const takeBack = await countAttempt("signup", "10.0.0.1");
  await passedOf(2, () => countAttempt("signup", "10.0.0.1"));
  await takeBack();
  expect(await passedOf(5, () => countAttempt("signup", "10.0.0.1"))).toBe(1);

  await forgetAttempts("signup", "10.0.0.1");
  expect(await passedOf(5, () => countAttempt("signup", "10.0.0.1"))).toBe(3);
});

test("what is taken back late, of a window that is over or was forgotten, lets nobody else through", async () => {
  const ofFirst = await Promise.all(Array.from({ length: 3 }, () => countAttempt("signup", "10.0.0.1")));
  const ofOther = await countAttempt("signup", "10.0.0.2");
  await forgetAttempts("signup", "10.0.0.2");
  vi.setSystemTime(START + 60_001);
  await passedOf(3, () => countAttempt("signup", "10.0.0.1"));
  await passedOf(3, () => countAttempt("signup", "10.0.0.2"));

  await Promise.all([...ofFirst, ofOther].map((takeBack) => takeBack()));

  expect(await passedOf(5, () => countAttempt("signup", "10.0.0.1"))).toBe(0);
  expect(await passedOf(5, () => countAttempt("signup", "10.0.0.2"))).toBe(0);
});

test("who was refused at a window's end takes nothing from the next one", async () => {
  await passedOf(3, () => countAttempt("signup", "10.0.0.1"));
  const held = Promise.withResolvers<void>();
  const update = db.rateLimit.updateMany.bind(db.rateLimit);
  const late = vi.spyOn(db.rateLimit, "updateMany").mockImplementation(((change: never) => held.promise.then(() => update(change))) as never);
  const refused = passedOf(20, () => countAttempt("signup", "10.0.0.1"));
  await vi.waitFor(() => expect(late).toHaveBeenCalledTimes(20));
  vi.setSystemTime(START + 60_001);
  await passedOf(3, () => countAttempt("signup", "10.0.0.1"));
  held.resolve();

  expect(await refused).toBe(0);
  late.mockRestore();
  expect(await passedOf(5, () => countAttempt("signup", "10.0.0.1"))).toBe(0);
});

test("a count that cannot be taken back, or forgotten, stands, and nothing fails by it", async () => {
  const takeBack = await countAttempt("signup", "10.0.0.1");
  const giveBack = await takeTurn("login-account", "ada@example.org", 8);
  const lost = new Error("Connection terminated unexpectedly");
  for (const method of ["updateMany", "deleteMany"] as const) vi.spyOn(db.rateLimit, method).mockRejectedValue(lost);
  vi.spyOn(db, "$queryRawUnsafe").mockRejectedValue(lost);

  await expect(Promise.all([takeBack(), giveBack(), forgetAttempts("signup", "10.0.0.1")])).resolves.toBeDefined();
  vi.restoreAllMocks();
  expect(await passedOf(5, () => countAttempt("signup", "10.0.0.1"))).toBe(2);
});

test("a turn that is given back is the next one's, and one that was over is not taken from who has it now", async () => {
  const giveBack = await takeTurn("login-account", "ada@example.org", 8);
  await giveBack();
  expect(await passedOf(5, () => takeTurn("login-account", "ada@example.org", 8))).toBe(1);

  vi.setSystemTime(START + 8001);
  expect(await passedOf(5, () => takeTurn("login-account", "ada@example.org", 8))).toBe(1);
  await giveBack();
  expect(await passedOf(5, () => takeTurn("login-account", "ada@example.org", 8))).toBe(0);
});

test("what need not be refused is told whether it is within the limit, and how many there were", async () => {
  const within = [];
  for (let count = 0; count < 4; count++) within.push((await countIfWithin("signup", "10.0.0.1")) !== null);

  expect(within).toEqual([true, true, true, false]);
  expect([await attemptsOf("signup", "10.0.0.1"), await attemptsOf("signup", "10.0.0.2")]).toEqual([3, 0]);
});

test("a turn is taken by one of a crowd, and comes again after its time", async () => {
  expect(await passedOf(10, () => takeTurn("login-account", "ada@example.org", 8))).toBe(1);
  await expect(takeTurn("login-account", "ada@example.org", 8)).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 8 });

  vi.setSystemTime(START + 8001);
  expect(await passedOf(10, () => takeTurn("login-account", "ada@example.org", 16))).toBe(1);
});

test("requests use the whole limit and no more, one by one and at once, and rarely ask the database", async () => {
  const query = vi.spyOn(db, "$queryRawUnsafe");
  for (let request = 0; request < 40; request++) await countRequest("api", "10.0.0.1");
  await expect(countRequest("api", "10.0.0.1")).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 60 });
  expect(query.mock.calls.length).toBeLessThanOrEqual(21);

  expect(await passedOf(100, () => countRequest("api", "10.0.0.2"))).toBe(40);
});

test("requests at once take no more of the limit than they need: the rest is for other processes", async () => {
  expect(await passedOf(10, () => countRequest("api", "10.0.0.1"))).toBe(10);

  expect(await db.rateLimit.findMany()).toMatchObject([{ points: 10 }]);
});

test("what is stored of an address is no address", async () => {
  await countAttempt("signup", "192.0.2.77");

  const [row] = await db.rateLimit.findMany();
  expect(row).toMatchObject({ points: 1, expire: BigInt(START + 60_000) });
  expect(row?.key).toMatch(/^signup:[\w-]{43}$/);
});

test("counts whose window is over are deleted, the others stay", async () => {
  await countAttempt("signup", "10.0.0.1");
  vi.setSystemTime(START + 40_000);
  await countAttempt("signup", "10.0.0.2");
  vi.setSystemTime(START + 70_000);

  await purgeRateLimits();

  expect(await db.rateLimit.count()).toBe(1);
  expect(await attemptsOf("signup", "10.0.0.2")).toBe(1);
});

test("while the database does not answer, requests are limited in memory", async () => {
  const query = vi.spyOn(db, "$queryRawUnsafe").mockRejectedValue(new Error("Connection terminated unexpectedly"));

  expect(await passedOf(60, () => countRequest("api", "10.0.0.9"))).toBe(40);
  query.mockRestore();
  globalThis.heardRateLimits?.leases.clear();
  // For a moment it is left alone; then it counts again.
  expect(await passedOf(5, () => countRequest("api", "10.0.0.9"))).toBe(0);
  globalThis.heardRateLimits?.leases.clear();
  vi.setSystemTime(START + 6000);
  expect(await passedOf(60, () => countRequest("api", "10.0.0.9"))).toBe(40);
});

test("who cannot be looked up is limited apart from everybody else, by place, and without the database", async () => {
  const query = vi.spyOn(db, "$queryRawUnsafe").mockRejectedValue(new Error("Connection terminated unexpectedly"));

  expect(await passedOf(60, () => countUnidentified("10.0.0.8"))).toBe(40);
  expect(await passedOf(1, () => countUnidentified("10.0.0.7"))).toBe(1);
  expect(query).not.toHaveBeenCalled();
  query.mockRestore();
  expect(await passedOf(60, () => countRequest("api", "10.0.0.8"))).toBe(40);
});

test("of many requests that meet a database that does not answer, one line of the log says so", async () => {
  vi.spyOn(db, "$queryRawUnsafe").mockRejectedValue(new Error("Connection terminated unexpectedly"));
  const warned = vi.spyOn(log, "warn");

  await Promise.all(Array.from({ length: 5 }, (_, index) => countRequest("api", `10.0.1.${index}`)));

  expect(warned).toHaveBeenCalledTimes(1);
});

test("what nobody can count is not let through: attempts and turns fail as the database does", async () => {
  vi.spyOn(db, "$queryRawUnsafe").mockRejectedValue(new Error("Connection terminated unexpectedly"));

  for (const attempt of [
    () => countAttempt("signup", "10.0.0.9"),
    () => countIfWithin("signup", "10.0.0.9"),
    () => takeTurn("login-account", "ada@example.org", 8),
  ])
    expect(isUnavailable(await attempt().catch((error: unknown) => error))).toBe(true);
});

test("with requests a database that stalls is waited for half a second", async () => {
  vi.spyOn(db, "$queryRawUnsafe").mockReturnValue(new Promise(() => {}) as never);
  const start = performance.now();

  expect(await passedOf(50, () => countRequest("api", "10.0.0.8"))).toBe(40);
  expect(performance.now() - start).toBeGreaterThan(400);
  expect(performance.now() - start).toBeLessThan(3000);
});

test.for([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
] as const)("%s counts as %s", ([ip, place]) => {
  expect(placeOf(ip)).toBe(place);
});

test("who takes turns does so by the widest network that one customer has", () => {
  expect(["192.0.2.7", "2001:db8:1:2:3:4:5:6", "2001:db8:1:3::1"].map(widePlaceOf)).toEqual(["192.0.2.7", "2001:db8:1::/48", "2001:db8:1::/48"]);
});
