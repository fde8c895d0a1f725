import { availableParallelism } from "node:os";
import bcrypt, { getRounds } from "bcryptjs";
import { beforeEach, expect, test, vi } from "vitest";
import { findViewer } from "#lib/auth";
import { db } from "#lib/db";
import type { AppError } from "#lib/errors";
import { errorResponse } from "#lib/http";
import { BCRYPT_COST, MAX_WAITING, withHashingSlot } from "#lib/passwords";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { logIn } from "./login.ts";
import { requestPasswordReset, resetPassword } from "./password-reset.ts";
import { failureOf } from "./testing/failures.ts";
import { aMember, aSite, aVisit, PASSWORD, type Person } from "./testing/people.ts";
import { signedInUserJson, signUp } from "./users.ts";

vi.hoisted(() => Object.assign(process.env, { MAIL: "outbox" }));

useDatabase();

let member: Person;

beforeEach(async () => {
  await aSite();
  member = await aMember({ email: "ada@example.org" });
});

/** The token of a link by which `email` gets a new password. */
async function resetToken(email: string): Promise<string> {
  await (await requestPasswordReset(aVisit(), { email }))();
  const { props } = await db.mail.findFirstOrThrow({ where: { letter: "reset-password" } });
  return /\?token=([\w-]{43})/.exec(JSON.stringify(props))?.[1] ?? "";
}

/** The failure of signing in, as the API would answer it. */
async function failure(input: unknown): Promise<AppError | null> {
  return failureOf(logIn(aVisit(), input));
}

test("the right password signs in: a session of its own, whose token is given once", async () => {
  const user = await logIn(aVisit({ device: "Firefox" }), { email: " ADA@example.org", password: PASSWORD });

  expect(signedInUserJson.strict().parse(user)).toEqual(user);
  expect(user).toMatchObject({ userId: member.userId, email: "ada@example.org", avatar: `https://feedback.example.com/avatars/${member.userId}` });
  const viewer = await findViewer(user.authToken);
  expect(viewer).toMatchObject({ userId: member.userId, role: "MEMBER" });
  expect(viewer?.sessionId).not.toBe(member.viewer.sessionId);
  expect(await db.session.count({ where: { device: "Firefox" } })).toBe(1);
});

test("a crowd that fills the queue of passwords from one place refuses nobody elsewhere who signs in, signs up or sets a new one", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const crowd = Array.from({ length: availableParallelism() + MAX_WAITING }, () => withHashingSlot("192.0.2.66", () => promise).catch(() => {}));
  const visit = aVisit({ ip: "2001:db8:1:2::1" });
  const another = await aMember();

  const served = Promise.all([
    logIn(visit, { email: member.email, password: PASSWORD }),
    signUp(visit, { email: "bea@example.org", password: PASSWORD }),
    resetPassword(visit, { token: await resetToken(another.email), password: "a brand new password" }),
  ]);
  await vi.waitFor(() => expect(globalThis.heardHashing?.waiting.get("2001:db8:1::/48")).toHaveLength(3)).finally(resolve);

  expect(await served).toHaveLength(3);
  await Promise.all(crowd);
});

test("every sign-in has another token, and none ends another", async () => {
  const tokens = [];
  for (let count = 0; count < 3; count += 1) tokens.push((await logIn(aVisit(), { email: member.email, password: PASSWORD })).authToken);

  expect(new Set([...tokens, member.token]).size).toBe(4);
  for (const token of [...tokens, member.token]) expect(await findViewer(token)).not.toBeNull();
});

test("an unknown address and a wrong password are told apart by nothing", async () => {
  const answers = [];
  for (const input of [
    { email: "nobody@example.org", password: PASSWORD },
    { email: "ada@example.org", password: "wrong password" },
  ]) {
    const response = errorResponse(await failure(input), new Request("http://localhost:3000/"));
    answers.push({ status: response.status, headers: [...response.headers], body: await response.text() });
  }

  expect(answers[0]).toMatchObject({ status: 401, body: expect.stringContaining("INVALID_CREDENTIALS") });
  expect(answers[0]).toEqual(answers[1]);
});

test("A4: a sign-in with an unknown address has a password hashed, at the cost of one with a wrong password", async () => {
  // The right one first: the account's hash is then of today's cost, and the threads run.
  await logIn(aVisit(), { email: member.email, password: PASSWORD });
  const threads = globalThis.heardHashing?.threads;
  const hash = vi.spyOn(threads as NonNullable<typeof threads>, "run");

  for (const email of [member.email, "nobody@example.org"]) {
    expect(await failure({ email, password: "wrong password" })).toMatchObject({ code: "INVALID_CREDENTIALS" });
  }

  const costs = hash.mock.calls.map(([task]) => getRounds((task as { hash: string }).hash));
  expect(costs).toEqual([BCRYPT_COST, BCRYPT_COST]);
  hash.mockRestore();
});

test("that an account is blocked is told only to who knows its password", async () => {
  await db.user.update({ where: { userId: member.userId }, data: { blockedAt: new Date() } });

  expect(await failure({ email: member.email, password: "wrong password" })).toMatchObject({ code: "INVALID_CREDENTIALS" });
  expect(await failure({ email: member.email, password: PASSWORD })).toMatchObject({ code: "USER_BLOCKED", status: 403 });
  expect(await db.session.count()).toBe(1);
});

test.for([
  [{}, "EMAIL_INVALID"],
  [{ email: "x", password: "" }, "EMAIL_INVALID"],
  [{ email: { contains: "" }, password: PASSWORD }, "EMAIL_INVALID"],
  [{ email: ["ada@example.org"], password: PASSWORD }, "EMAIL_INVALID"],
  [{ email: "ada@example.org" }, "PASSWORD_MISSING"],
  [{ email: "ada@example.org", password: "" }, "PASSWORD_MISSING"],
  [{ email: "ada@example.org", password: { not: "" } }, "PASSWORD_MISSING"],
  [{ email: "ada@example.org", password: "x" }, "INVALID_CREDENTIALS"],
  [{ email: "ada@example.org", password: `${PASSWORD} ` }, "INVALID_CREDENTIALS"],
  [{ email: "ada@example.org", password: PASSWORD.toUpperCase() }, "INVALID_CREDENTIALS"],
  [{ email: "ada@example.org", password: `${PASSWORD}\0` }, "INVALID_CREDENTIALS"],
  [{ email: "ada@example.org", password: "x".repeat(500_000) }, "INVALID_CREDENTIALS"],
  [{ email: "ada@example.org", password: "half \ud83c" }, "INVALID_CREDENTIALS"],
] as const)("signing in with %o is %s", async ([input, code]) => {
  expect(await failure(input)).toMatchObject({ code });
  expect(await db.session.count()).toBe(1);
});

test.for([4, 10])("A3: a hash of cost %i is made anew by the next sign-in, and only by a right one", async (cost) => {
  const { userId, email } = await aMember({ passwordHash: await bcrypt.hash(PASSWORD, cost) });
  const costNow = async () => getRounds((await db.user.findUniqueOrThrow({ where: { userId } })).passwordHash);
  await expect(logIn(aVisit(), { email, password: "not the right one" })).rejects.toMatchObject({ code: "INVALID_CREDENTIALS" });
  expect(await costNow()).toBe(cost);

  await Promise.all(Array.from({ length: 4 }, () => logIn(aVisit(), { email, password: PASSWORD })));

  const isRaised = (await costNow()) >= 12;
  reportBar({ bar: "A3", measure: `cost of a stored hash of cost ${cost} after signing in`, figure: await costNow(), ok: isRaised });
  expect(isRaised).toBe(true);
  await logIn(aVisit(), { email, password: PASSWORD });
});

test("A3: what is stored for a new account costs 12 or more", async () => {
  await signUp(aVisit(), { email: "new@example.org", password: PASSWORD });

  const { passwordHash } = await db.user.findUniqueOrThrow({ where: { email: "new@example.org" } });
  expect(getRounds(passwordHash)).toBeGreaterThanOrEqual(12);
});
