import { beforeEach, expect, test, vi } from "vitest";
import { db } from "#lib/db";
import { RATE_LIMITS } from "#lib/rate-limits/defaults";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { resendConfirmation } from "./email-confirmation.ts";
import { mayWriteUnasked } from "./limits.ts";
import { logIn } from "./login.ts";
import { requestPasswordReset } from "./password-reset.ts";
import { startLimits } from "./testing/limits.ts";
import { aMember, aSite, aVisit, PASSWORD, type Person } from "./testing/people.ts";
import { updateOwnUser } from "./users.ts";

vi.hoisted(() => Object.assign(process.env, { RATE_LIMITS: "on", MAIL: "outbox" }));

useDatabase();

const START = Date.now();

let member: Person;

beforeEach(async () => {
  const giveClockBack = startLimits(START);
  await aSite();
  member = await aMember({ verifiedAt: null });
  return giveClockBack;
});

test("A6: the limit letter-unasked lets as many letters through as it says, refuses nobody, and opens again on time", async () => {
  const { points, windowSeconds } = RATE_LIMITS["letter-unasked"];
  const mayWrite = () => mayWriteUnasked("new-device", { email: "ada@example.org", isVerified: false });

  const written = [];
  for (let count = 0; count <= points; count++) written.push(await mayWrite());
  vi.setSystemTime(START + windowSeconds * 1000 - 1);
  written.push(await mayWrite());
  vi.setSystemTime(START + windowSeconds * 1000 + 1);
  const isOpen = await mayWrite();

  expect(written).toEqual([...Array<boolean>(points).fill(true), false, false]);
  reportBar({
    bar: "A6",
    measure: `letter-unasked: ${points} in ${windowSeconds} s`,
    figure: isOpen ? "as it says" : "stays closed",
    ok: isOpen,
  });
  expect(isOpen).toBe(true);
});

test("an address that nobody confirmed is told of five sign-ins in half an hour, and a confirmed one of each", async () => {
  const letters = () => db.mail.count({ where: { to: member.email, letter: "new-device" } });
  const signInAsNew = (count: number) =>
    logIn(aVisit({ ip: `198.51.100.${count}`, device: `Mozilla/5.0 (X11; Linux x64) Firefox/${count}` }), { email: member.email, password: PASSWORD });
  for (let count = 0; count < 9; count++) await signInAsNew(count);
  expect(await letters()).toBe(RATE_LIMITS["letter-unasked"].points);

  await db.user.update({ where: { userId: member.userId }, data: { verifiedAt: new Date() } });
  for (let count = 0; count < 9; count++) await signInAsNew(count);
  expect(await letters()).toBe(RATE_LIMITS["letter-unasked"].points + 9);
});

test("signing in uses up none of the letters that an address may ask for, nor those that tell of a new password", async () => {
  for (let count = 0; count < 9; count++)
    await logIn(aVisit({ ip: `198.51.100.${count}`, device: `tool/${count}` }), { email: member.email, password: PASSWORD });

  await (await requestPasswordReset(aVisit(), { email: member.email }))();
  expect(await db.mail.count({ where: { to: member.email, letter: "reset-password" } })).toBe(1);
  await updateOwnUser({ ...member.viewer, isVerified: false }, aVisit(), { password: { current: PASSWORD, new: "another long password" } });
  expect(await db.mail.count({ where: { to: member.email, letter: "password-changed" } })).toBe(1);
});

test("a program that signs in again and again writes one letter, and counts for it once", async () => {
  for (let count = 0; count < 7; count++) await logIn(aVisit({ ip: "198.51.100.7", device: "tool/1" }), { email: member.email, password: PASSWORD });

  expect(await db.mail.count({ where: { to: member.email, letter: "new-device" } })).toBe(1);
  expect(await db.rateLimit.count({ where: { key: { contains: "letter-unasked" }, points: { gt: 1 } } })).toBe(0);
});

test("letters that confirm an address are limited like those for a new password", async () => {
  for (let count = 0; count < RATE_LIMITS.letter.points; count++) await resendConfirmation(member.viewer, aVisit());

  await expect(resendConfirmation(member.viewer, aVisit())).rejects.toMatchObject({ code: "RATE_LIMITED" });
  await expect(requestPasswordReset(aVisit(), { email: member.email })).rejects.toMatchObject({ code: "RATE_LIMITED" });
});

test("who asks again and again for one address closes mail to nobody else at the same place", async () => {
  for (let count = 0; count < 2 * RATE_LIMITS["letter-ip"].points; count++) await requestPasswordReset(aVisit(), { email: member.email }).catch(() => {});

  await expect(requestPasswordReset(aVisit(), { email: "somebody@example.org" })).resolves.toBeDefined();
});

test("of many who ask at once for letters to one address from one place three are heard", async () => {
  const asked = await Promise.allSettled(Array.from({ length: 20 }, () => requestPasswordReset(aVisit(), { email: member.email })));

  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(RATE_LIMITS.letter.points);
});
