import { beforeEach, expect, test } from "vitest";
import { findViewer, SESSION_IDLE_MS, SESSION_MAX_MS, sealSessionToken, viewerOfAuthorization, viewerOfCookie } from "#lib/auth";
import { HOUR_MS } from "#lib/days";
import { db } from "#lib/db";
import { knownError } from "#lib/failures";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { scale } from "#lib/testing/scale";
import { endOtherSessions, endSession, listSessions, logOut, purgeSessions, sessionJson } from "./sessions.ts";
import { aMember, aSession, type Person } from "./testing/people.ts";

useDatabase();

let member: Person;

beforeEach(async () => {
  member = await aMember();
});

/** The date so many milliseconds ago. */
function ago(ms: number): Date {
  return new Date(Date.now() - ms);
}

/** Whether neither the API nor a browser's cookie knows `token` any more. */
async function isDead(token: string): Promise<boolean> {
  const error = await viewerOfAuthorization(`Bearer ${token}`).then(() => null, knownError);
  return error?.code === "INVALID_TOKEN" && error.status === 401 && (await viewerOfCookie(await sealSessionToken(token))) === null;
}

test("a person sees where they are signed in, the last used first, and which is this", async () => {
  const older = await aSession(member.userId, { lastSeenAt: ago(2 * HOUR_MS), createdAt: ago(3 * HOUR_MS) });
  await aMember();

  const sessions = await listSessions(member.viewer);

  expect(sessions.map(({ sessionId, isCurrent }) => [sessionId, isCurrent])).toEqual([
    [member.viewer.sessionId, true],
    [older.sessionId, false],
  ]);
  const json = JSON.parse(JSON.stringify(sessions)) as unknown[];
  expect(json.map((session) => sessionJson.strict().parse(session))).toEqual(json);
});

test("sessions that are over are not in the list", async () => {
  await aSession(member.userId, { lastSeenAt: ago(SESSION_IDLE_MS + HOUR_MS), createdAt: ago(SESSION_IDLE_MS + HOUR_MS) });
  await aSession(member.userId, { createdAt: ago(SESSION_MAX_MS + HOUR_MS) });

  expect(await listSessions(member.viewer)).toHaveLength(1);
});

test("signing out, and ending a session from another one, kill its token at once", async () => {
  const times = scale(5, 100);
  let refused = 0;
  for (let time = 0; time < times; time += 1) {
    const { sessionId, token } = await aSession(member.userId);
    const viewer = await findViewer(token);
    expect(viewer).not.toBeNull();
    if (time % 2) await logOut(viewer);
    else await endSession(member.viewer, sessionId);
    if (await isDead(token)) refused++;
  }
  reportBar({
    bar: "A9",
    measure: "signed out, or ended elsewhere: the next request refused",
    figure: `${refused}/${times}`,
    ok: refused === times,
  });
  expect(refused).toBe(times);
  expect(await findViewer(member.token)).not.toBeNull();
});

test("ending all other sessions ends all others, and nobody else's", async () => {
  const others = [await aSession(member.userId), await aSession(member.userId)];
  const somebodyElse = await aMember();

  await endOtherSessions(member.viewer);

  for (const { token } of others) expect(await isDead(token)).toBe(true);
  expect(await findViewer(member.token)).not.toBeNull();
  expect(await findViewer(somebodyElse.token)).not.toBeNull();
});

test("nobody ends somebody else's session", async () => {
  const other = await aMember();

  for (const sessionId of [other.viewer.sessionId, "0190a8a0-0000-7000-8000-00000000000a", "x", "", "%00"]) {
    await expect(endSession(member.viewer, sessionId)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND", status: 404 });
  }
  expect(await findViewer(other.token)).not.toBeNull();
});

test("a session cannot be ended twice", async () => {
  const { sessionId } = await aSession(member.userId);
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => endSession(member.viewer, sessionId)));

  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("sessions are for who is signed in", async () => {
  for (const ask of [() => listSessions(null), () => logOut(null), () => endSession(null, member.viewer.sessionId), () => endOtherSessions(null)]) {
    await expect(ask()).rejects.toMatchObject({ code: "UNAUTHENTICATED", status: 401 });
  }
});

test("what nobody can use any more is deleted, and nothing else", async () => {
  await aSession(member.userId, { lastSeenAt: ago(SESSION_IDLE_MS + HOUR_MS) });
  await aSession(member.userId, { createdAt: ago(SESSION_MAX_MS + HOUR_MS) });
  const { sessionId } = await aSession(member.userId, { lastSeenAt: ago(SESSION_IDLE_MS - HOUR_MS), createdAt: ago(SESSION_MAX_MS - HOUR_MS) });

  await purgeSessions();

  const left = await db.session.findMany({ select: { sessionId: true } });
  expect(left.map((session) => session.sessionId).sort()).toEqual([member.viewer.sessionId, sessionId].sort());
});
