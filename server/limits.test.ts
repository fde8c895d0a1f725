import { availableParallelism } from "node:os";
import { beforeEach, expect, test, vi } from "vitest";
import { sealDevice } from "#lib/auth";
import { MINUTE_MS } from "#lib/days";
import { db } from "#lib/db";
import { endpoint } from "#lib/http";
import { MAX_WAITING, withHashingSlot } from "#lib/passwords";
import { RATE_LIMITS, type RateLimitName } from "#lib/rate-limits/defaults";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { FRONT_HEADERS, type Visit } from "#lib/visit";
import { setAvatar } from "./avatars.ts";
import { countLogin } from "./limits.ts";
import { logIn } from "./login.ts";
import { resetOwnerPassword } from "./owner-recovery.ts";
import { requestPasswordReset, resetPassword } from "./password-reset.ts";
import { setUp } from "./setup.ts";
import { codeOf } from "./testing/failures.ts";
import { startLimits } from "./testing/limits.ts";
import { aMember, anOwner, aSite, aVisit, PASSWORD, type Person } from "./testing/people.ts";
import { signUp, updateOwnUser } from "./users.ts";

vi.hoisted(() => Object.assign(process.env, { RATE_LIMITS: "on", MAIL: "outbox", SETUP_TOKEN: "a-long-token" }));

useDatabase();

/** Only the date is moved, so it begins where the timers are. */
const START = Date.now();
const WRONG = "not the password";

let member: Person;
let others: Person[];

beforeEach(async () => {
  const giveBack = startLimits(START);
  member = await aMember();
  others = [];
  for (let count = 0; count < 12; count++) others.push(await aMember());
  return giveBack;
});

const fromHere = () => aVisit({ ip: "192.0.2.1" });
const from = (place: number) => aVisit({ ip: `198.51.100.${place}` });
const another = (count: number) => others[count % others.length] as Person;
const change = (visit: Visit, current: string) => updateOwnUser(member.viewer, visit, { password: { current, new: PASSWORD } });
const guess = (visit: Visit, { email }: Person) => logIn(visit, { email, password: WRONG });

/** The same, some seconds or minutes later: whoever guesses on has to wait for each turn. */
async function guessLater(count: number): Promise<unknown> {
  vi.setSystemTime(Date.now() + (count > 10 ? 15 * MINUTE_MS : 1000));
  return guess(from(count), member);
}

const { GET } = endpoint({ GET: () => Response.json({}) });

async function askApi(headers: Record<string, string> = {}): Promise<void> {
  const request = new Request("http://localhost:3000/api/v1/boards", { headers: { [FRONT_HEADERS.ip]: "192.0.2.1", ...headers } });
  const response = await GET(request, { params: Promise.resolve({}) });
  if (response.status !== 429) return;
  expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
  const retryAfterSeconds = Number(response.headers.get("Retry-After"));
  throw Object.assign(new Error("limited"), { name: "AppError", status: 429, retryAfterSeconds, ...(await response.json()) });
}

/** What each limit counts that refuses somebody, done as people and programs do it; `count` says how many times before. */
const SCENARIOS: Record<Exclude<RateLimitName, "letter-unasked" | "login-free">, (count: number) => Promise<unknown>> = {
  login: () => guess(fromHere(), member),
  "login-ip": (count) => guess(fromHere(), another(count)),
  "login-account": guessLater,
  signup: () => signUp(fromHere(), { email: member.email, password: PASSWORD }),
  setup: () => setUp(fromHere(), { email: "owner@example.org", password: PASSWORD }),
  letter: () => requestPasswordReset(fromHere(), { email: "ada@example.org" }),
  "letter-ip": (count) => requestPasswordReset(fromHere(), { email: `person-${count}@example.net` }),
  "letter-address": (count) => requestPasswordReset(from(count), { email: "ada@example.org" }),
  api: () => askApi(),
  "api-user": () => askApi({ authorization: `Bearer ${member.token}` }),
  // From another place each time, and from browsers that are known.
  "password-change": async (count) => change({ ...from(count), deviceToken: count % 2 === 0 ? await sealDevice(member.email) : null }, PASSWORD),
  upload: () => setAvatar(member.viewer, new Uint8Array([1, 2, 3])),
};

test.for(Object.keys(SCENARIOS) as (keyof typeof SCENARIOS)[])(
  "A6: the limit %s lets as many through as it says, and opens again on time",
  { timeout: 120_000 },
  async (name) => {
    const { points, windowSeconds } = RATE_LIMITS[name];
    if (name !== "setup") await aSite();
    const act = SCENARIOS[name];

    for (let count = 0; count < points; count++) expect([count, await codeOf(act(count))]).not.toEqual([count, "RATE_LIMITED"]);
    const refusal = await act(points).catch((error: unknown) => error);

    expect(refusal).toMatchObject({ code: "RATE_LIMITED", status: 429 });
    const { retryAfterSeconds } = refusal as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(windowSeconds);
    vi.setSystemTime(Date.now() + (retryAfterSeconds - 1) * 1000 - 1);
    if (name !== "login-account") expect(await codeOf(act(points))).toBe("RATE_LIMITED");
    vi.setSystemTime(Date.now() + 1002);
    const isOpen = (await codeOf(act(points))) !== "RATE_LIMITED";
    reportBar({
      bar: "A6",
      measure: `${name}: ${points} in ${windowSeconds} s`,
      figure: isOpen ? "as it says" : "stays closed",
      ok: isOpen,
    });
    expect(isOpen).toBe(true);
  },
);

test("signing in rightly counts for nothing, however often", async () => {
  await aSite();
  await db.user.update({ where: { userId: member.userId }, data: { verifiedAt: new Date() } });
  for (let round = 0; round < 6; round++) await logIn(fromHere(), { email: member.email, password: PASSWORD });
  for (let round = 0; round < 60; round++) await (await countLogin(fromHere(), member.email)).succeeded();

  expect(await db.rateLimit.count({ where: { points: { gt: 0 } } })).toBe(0);
});

test("what is no wrong password counts for nothing: a database that is away, a blocked account", async () => {
  await aSite();
  const away = vi.spyOn(db.user, "findUnique").mockRejectedValue(Object.assign(new Error("connect"), { code: "ECONNREFUSED" }));
  for (let count = 0; count < 8; count++) expect(await codeOf(logIn(fromHere(), { email: member.email, password: PASSWORD }))).toBe("SERVER_ERROR");
  away.mockRestore();
  await db.user.update({ where: { userId: member.userId }, data: { blockedAt: new Date() } });
  for (let count = 0; count < 8; count++) expect(await codeOf(logIn(fromHere(), { email: member.email, password: PASSWORD }))).toBe("USER_BLOCKED");
  await db.user.update({ where: { userId: member.userId }, data: { blockedAt: null } });

  expect(await codeOf(logIn(fromHere(), { email: member.email, password: PASSWORD }))).toBe("none");
});

test("who could not be counted on every axis is counted on none", async () => {
  await aSite();
  const query = db.$queryRawUnsafe.bind(db);
  let asked = 0;
  const failing = vi.spyOn(db, "$queryRawUnsafe").mockImplementation(((...statement: [string]) => {
    // The last of the axes is the account.
    return asked++ % 4 === 3 ? Promise.reject(new Error("Connection terminated unexpectedly")) : query(...statement);
  }) as typeof db.$queryRawUnsafe);
  for (let count = 0; count < 8; count++) expect(await codeOf(guess(fromHere(), member))).toBe("SERVER_ERROR");
  failing.mockRestore();

  expect(await db.rateLimit.count({ where: { points: { gt: 0 } } })).toBe(0);
});

test("a turn of an attempt that was none is the next one's", async () => {
  await aSite();
  for (let count = 0; count < 11; count++) await codeOf(guess(from(count), member));
  vi.setSystemTime(Date.now() + MINUTE_MS);
  const away = vi.spyOn(db.user, "findUnique").mockRejectedValueOnce(Object.assign(new Error("connect"), { code: "ECONNREFUSED" }));
  expect(await codeOf(guess(from(20), member))).toBe("SERVER_ERROR");
  away.mockRestore();

  expect(await codeOf(guess(from(21), member))).toBe("INVALID_CREDENTIALS");
  await expect(guess(from(22), member)).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 2 });
});

test("a crowd of right passwords from one place keeps nobody there out, though some of it had to wait", async () => {
  await aSite();
  const codes = await Promise.all(others.flatMap(({ email }) => [1, 2, 3, 4, 5, 6].map(() => codeOf(logIn(fromHere(), { email, password: PASSWORD })))));
  expect(codes).toContain("RATE_LIMITED");

  expect(await db.rateLimit.count({ where: { points: { gt: 0 } } })).toBe(0);
});

test("who is only told to wait, because others guess at the account, has used up no try of their own", async () => {
  await aSite();
  for (let count = 0; count < 14; count++) await guessLater(count).catch(() => {});
  const logInFromHere = () => codeOf(logIn(fromHere(), { email: member.email, password: PASSWORD }));
  const counts = () =>
    db.rateLimit.findMany({ select: { key: true, points: true }, where: { key: { startsWith: "login" }, points: { gt: 0 } }, orderBy: { key: "asc" } });
  const before = await counts();
  for (let count = 0; count < 2 * RATE_LIMITS.login.points; count++) expect(await logInFromHere()).toBe("RATE_LIMITED");
  expect(await counts()).toEqual(before);

  vi.setSystemTime(Date.now() + MINUTE_MS);
  expect(await logInFromHere()).toBe("none");
});

test("A6: the limit login-free lets as many through as it says without a wait; then each waits twice as long as the one before", async () => {
  await aSite();
  const waits: (number | undefined)[] = [];
  for (let place = 0; place < RATE_LIMITS["login-free"].points; place++) expect(await codeOf(guess(from(place), member))).toBe("INVALID_CREDENTIALS");
  for (let place = 100; place < 104; place++) {
    expect(await codeOf(guess(from(place), member))).toBe("INVALID_CREDENTIALS");
    const refusal = (await guess(from(place + 50), member).catch((error: unknown) => error)) as { code: string; retryAfterSeconds: number };
    waits.push(refusal.retryAfterSeconds);
    vi.setSystemTime(Date.now() + refusal.retryAfterSeconds * 1000 + 1);
  }

  expect(waits).toEqual([1, 2, 4, 8]);
});

test("a crowd that is told to wait closes an account to nobody, and makes nobody's wait longer", async () => {
  await aSite();
  for (let count = 0; count < 11; count++) await guessLater(count).catch(() => {});
  vi.setSystemTime(Date.now() + MINUTE_MS);
  const codes = await Promise.all(Array.from({ length: 120 }, (_, place) => codeOf(guess(aVisit({ ip: `10.2.0.${place}` }), member))));

  expect(codes.filter((code) => code === "INVALID_CREDENTIALS")).toHaveLength(1);
  expect(codes.filter((code) => code === "RATE_LIMITED")).toHaveLength(119);
  vi.setSystemTime(Date.now() + 2001);
  expect(await codeOf(logIn(fromHere(), { email: member.email, password: PASSWORD }))).toBe("none");
});

test("who is refused for their own wrong passwords closes the place to nobody else", async () => {
  await aSite();
  for (let count = 0; count < 100; count++) await codeOf(guess(fromHere(), another(0)));

  expect(await codeOf(logIn(fromHere(), { email: member.email, password: PASSWORD }))).toBe("none");
});

test("a password that is given on the machine opens an account that was closed by guesses", { timeout: 60_000 }, async () => {
  await aSite();
  member = await anOwner();
  for (let count = 0; count < 101; count++) await codeOf(guessLater(count));
  expect(await codeOf(logIn(from(200), { email: member.email, password: PASSWORD }))).toBe("RATE_LIMITED");

  const { password } = await resetOwnerPassword();

  expect(await codeOf(logIn(from(201), { email: member.email, password }))).toBe("none");
});

test("who takes their picture away, or chose none, uploads nothing", async () => {
  const twice = 2 * RATE_LIMITS.upload.points;
  for (let count = 0; count < twice; count++) expect(await codeOf(setAvatar(member.viewer, new Uint8Array()))).not.toBe("RATE_LIMITED");
  for (let count = 0; count < RATE_LIMITS.upload.points; count++) await codeOf(setAvatar(member.viewer, new Uint8Array([1])));

  expect(await codeOf(setAvatar(member.viewer, new Uint8Array([1])))).toBe("RATE_LIMITED");
  expect(await codeOf(setAvatar(member.viewer, null))).toBe("none");
});

test("A7: whoever guesses from many places gets a hundred guesses a day, and the owner gets in with a known browser and by a letter", {
  timeout: 120_000,
}, async () => {
  await aSite();
  let guesses = 0;
  for (let place = 0; place < 400; place++) {
    vi.setSystemTime(START + place * 3 * MINUTE_MS);
    if ((await codeOf(guess(aVisit({ ip: `10.1.${place >> 8}.${place & 255}` }), member))) === "INVALID_CREDENTIALS") guesses++;
  }
  reportBar({ bar: "A7", measure: "guesses at one account from 400 addresses in 20 hours", figure: guesses, ok: guesses <= 100 });
  expect(guesses).toBeGreaterThan(10);
  expect(guesses).toBeLessThanOrEqual(100);

  const knownBrowser = async () => aVisit({ ip: "192.0.2.50", deviceToken: await sealDevice(member.email) });
  expect(await codeOf(logIn(await knownBrowser(), { email: member.email, password: PASSWORD }))).toBe("none");
  // Signing in has renewed the hash, which tests make cheaply.
  const known = await knownBrowser();
  for (let count = 0; count < 5; count++) expect(await codeOf(guess(known, member))).toBe("INVALID_CREDENTIALS");
  expect(await codeOf(guess(known, member))).toBe("RATE_LIMITED");
});

test("after a hundred wrong passwords a mailed link opens the account at once", { timeout: 60_000 }, async () => {
  await aSite();
  for (let count = 0; count < 101; count++) await codeOf(guessLater(count));
  expect(await codeOf(logIn(from(200), { email: member.email, password: PASSWORD }))).toBe("RATE_LIMITED");

  await (await requestPasswordReset(fromHere(), { email: member.email }))();
  const { props } = await db.mail.findFirstOrThrow({ where: { letter: "reset-password" } });
  const [, token] = /\?token=([\w-]{43})/.exec(JSON.stringify(props)) ?? [];
  await resetPassword(fromHere(), { token, password: "a brand new password" });

  expect(await codeOf(logIn(from(201), { email: member.email, password: "a brand new password" }))).toBe("none");
});

test("a crowd that guesses at one account at the same moment from everywhere gets no more than who waits for each turn", async () => {
  await aSite();
  const codes = await Promise.all(Array.from({ length: 60 }, (_, place) => codeOf(guess(from(place), member))));

  expect(codes.filter((code) => code === "INVALID_CREDENTIALS")).toHaveLength(11);
});

test("a session in strange hands may guess at the password no oftener than the front door", async () => {
  await aSite();
  for (let count = 0; count < 5; count++) expect(await codeOf(change(fromHere(), WRONG))).toBe("INVALID_CREDENTIALS");

  expect(await codeOf(change(fromHere(), WRONG))).toBe("RATE_LIMITED");
});

test("a password for which nothing new was hashed counts as no change: wrong, too many at once, a full queue", async () => {
  await aSite();
  const { points } = RATE_LIMITS["password-change"];
  for (let count = 0; count < 5; count++) expect(await codeOf(change(fromHere(), WRONG))).toBe("INVALID_CREDENTIALS");
  for (let count = 0; count < points; count++) expect(await codeOf(change(fromHere(), PASSWORD))).toBe("RATE_LIMITED");
  const { promise, resolve } = Promise.withResolvers<void>();
  const crowd = Array.from({ length: availableParallelism() + MAX_WAITING }, () => withHashingSlot(from(1).ip, () => promise).catch(() => {}));
  for (let count = 0; count < points; count++) expect(await codeOf(change(from(1), PASSWORD))).toBe("SERVER_ERROR");
  resolve();
  await Promise.all(crowd);

  expect(await codeOf(change(from(1), PASSWORD))).toBe("none");
});

test("wrong tokens count as requests of nobody", async () => {
  for (let count = 0; count < RATE_LIMITS.api.points; count++) await askApi({ authorization: "Bearer wrong" });

  expect(await codeOf(askApi({ authorization: "Bearer wrong" }))).toBe("RATE_LIMITED");
  expect(await codeOf(askApi({ authorization: `Bearer ${member.token}` }))).toBe("none");
});
