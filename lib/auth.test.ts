import { encode } from "next-auth/jwt";
import { beforeEach, expect, test, vi } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { aMember, anOwner, aSession, type Person } from "#server/testing/people";
import {
  findViewer,
  knownDevice,
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
  sealDevice,
  sealSessionToken,
  sessionCookie,
  viewerOfAuthorization,
  viewerOfCookie,
} from "./auth.ts";
import { authSecret } from "./secrets.ts";
import { createToken } from "./tokens.ts";

useDatabase();

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

let member: Person;

beforeEach(async () => {
  member = await aMember();
});

/** The date so many milliseconds ago. */
function ago(ms: number): Date {
  return new Date(Date.now() - ms);
}

test("a token tells who is asking, and nothing that the asker could have made up", async () => {
  const owner = await anOwner({ verifiedAt: new Date() });

  expect(await findViewer(member.token)).toEqual({ userId: member.userId, sessionId: member.viewer.sessionId, role: "MEMBER", isVerified: false });
  expect(await findViewer(owner.token)).toEqual({ userId: owner.userId, sessionId: owner.viewer.sessionId, role: "OWNER", isVerified: true });
});

test("only a hash of the token is stored", async () => {
  const rows = await db.$queryRaw<{ row: string }[]>`SELECT row_to_json("Session")::text AS "row" FROM "Session"`;

  expect(rows).toHaveLength(1);
  expect(rows[0]?.row).not.toContain(member.token);
});

test("a wrong, empty or overlong token is nobody's", async () => {
  const tokens = [null, "", "x", member.token.slice(0, -1), `${member.token}x`, member.token.toUpperCase(), "x".repeat(100_000), "\0", "' OR 1=1 --"];

  for (const token of tokens) expect(await findViewer(token)).toBeNull();
});

test.for([
  ["just before 30 days without use it works", { ageMs: SESSION_IDLE_MS, idleMs: SESSION_IDLE_MS - MINUTE_MS }, true],
  ["after 30 days without use it is over", { ageMs: SESSION_IDLE_MS + SECOND_MS, idleMs: SESSION_IDLE_MS + SECOND_MS }, false],
  ["just before 90 days in all it works", { ageMs: SESSION_MAX_MS - MINUTE_MS, idleMs: 0 }, true],
  ["after 90 days in all it is over, however much used", { ageMs: SESSION_MAX_MS + SECOND_MS, idleMs: 0 }, false],
] as const)("a session ends by itself: %s", async ([, { ageMs, idleMs }, isAlive]) => {
  const { token } = await aSession(member.userId, { createdAt: ago(ageMs), lastSeenAt: ago(idleMs) });

  expect((await findViewer(token)) !== null).toBe(isAlive);
});

test("30 and 90 days are what the contract says", () => {
  expect([SESSION_IDLE_MS, SESSION_MAX_MS].map((ms) => ms / 86_400_000)).toEqual([30, 90]);
});

test("use is noted at most once a minute", async () => {
  const recently = ago(50 * SECOND_MS);
  const longAgo = ago(2 * MINUTE_MS);
  const [fresh, stale] = [await aSession(member.userId, { lastSeenAt: recently }), await aSession(member.userId, { lastSeenAt: longAgo })];

  for (const { token } of [fresh, stale, fresh, stale]) await findViewer(token);

  const lastSeenAt = async (sessionId: string) => (await db.session.findUniqueOrThrow({ where: { sessionId } })).lastSeenAt.getTime();
  await vi.waitFor(async () => expect(await lastSeenAt(stale.sessionId)).toBeGreaterThan(Date.now() - 30 * SECOND_MS));
  expect(await lastSeenAt(fresh.sessionId)).toBe(recently.getTime());
});

test("a session that is left of somebody who is blocked is dead", async () => {
  await db.user.update({ where: { userId: member.userId }, data: { blockedAt: new Date() } });

  expect(await findViewer(member.token)).toBeNull();
});

test("a changed role counts on the next request", async () => {
  await db.user.update({ where: { userId: member.userId }, data: { role: "OWNER" } });

  expect(await findViewer(member.token)).toMatchObject({ role: "OWNER" });
});

test("the token of a mailed link is never a session's", async () => {
  const { token, tokenHash } = createToken();
  const expiresAt = new Date(Date.now() + MINUTE_MS);
  for (const purpose of ["CONFIRM_EMAIL", "RESET_PASSWORD"] as const) {
    await db.mailToken.create({ data: { userId: member.userId, email: member.email, purpose, tokenHash, expiresAt } });
    expect(await findViewer(token)).toBeNull();
    await db.mailToken.deleteMany();
  }
});

test("the Authorization scheme may be written in any case", async () => {
  for (const scheme of ["Bearer", "bearer", "BEARER", "bEaReR", "Bearer  "])
    expect(await viewerOfAuthorization(`${scheme} ${member.token}`)).toMatchObject({ userId: member.userId });
});

test("another scheme, a missing, wrong or second token is INVALID_TOKEN", async () => {
  const headers = [
    "",
    "Bearer",
    "Bearer ",
    member.token,
    `Basic ${member.token}`,
    `Token ${member.token}`,
    "Bearer x",
    `Bearer ${member.token} x`,
    `Bearer ${member.token},x`,
    "Bearer \ud83c",
    `Bearer ${"x".repeat(50_000)}`,
  ];

  for (const header of headers) await expect(viewerOfAuthorization(header), header.slice(0, 60)).rejects.toMatchObject({ code: "INVALID_TOKEN", status: 401 });
});

test("a browser's cookie leads to its session, and to nobody once that is over", async () => {
  const cookie = await sealSessionToken(member.token);
  expect(cookie).not.toContain(member.token);
  expect(await viewerOfCookie(cookie)).toMatchObject({ userId: member.userId });

  await db.session.deleteMany();
  expect(await viewerOfCookie(cookie)).toBeNull();
});

test("a cookie that we did not seal is nobody's", async () => {
  const cookie = await sealSessionToken(member.token);
  const bySomebodyElse = await encode({ token: { token: member.token }, secret: "x".repeat(40) });
  const withoutToken = await encode({ token: { sub: member.userId }, secret: await authSecret() });
  const expired = await encode({ token: { token: member.token }, secret: await authSecret(), maxAge: -60 });
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(JSON.stringify({ token: member.token })).toString("base64url")}.`;

  for (const forged of ["", "x", member.token, `${cookie}x`, cookie.slice(0, -4), bySomebodyElse, withoutToken, expired, unsigned])
    expect(await viewerOfCookie(forged), forged.slice(0, 40)).toBeNull();
});

test("over https the cookie is Secure and bound to its host; over http a browser still keeps it", () => {
  const common = { httpOnly: true, sameSite: "lax", path: "/", maxAge: 90 * 86_400 };

  expect(sessionCookie({ ownOrigin: "https://feedback.example.com" })).toEqual({ name: "__Host-heard.session", options: { ...common, secure: true } });
  expect(sessionCookie({ ownOrigin: "http://localhost:3000" })).toEqual({ name: "heard.session", options: { ...common, secure: false } });
});

test.for(["", "x", "x.y", ".", "a.b.c", "\u0000.\u0000"])("the device token %j is nobody's", async (deviceToken) => {
  expect(await knownDevice({ deviceToken }, member.email)).toBeNull();
});

test("a browser that signed in by a former password is strange again", async () => {
  const deviceToken = await sealDevice(member.email);
  await db.user.update({ where: { userId: member.userId }, data: { passwordHash: "$2b$12$another" } });

  expect(await knownDevice({ deviceToken }, member.email)).toBeNull();
});

test("a device token is one person's", async () => {
  const deviceToken = await sealDevice(member.email);

  expect(await knownDevice({ deviceToken }, member.email)).not.toBeNull();
  expect(await knownDevice({ deviceToken }, (await aMember()).email)).toBeNull();
  expect(await knownDevice({ deviceToken: `x${deviceToken}` }, member.email)).toBeNull();
});
