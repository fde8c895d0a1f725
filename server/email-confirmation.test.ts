import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { findViewer } from "#lib/auth";
import { HOUR_MS } from "#lib/days";
import { db } from "#lib/db";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { scale } from "#lib/testing/scale";
import { createToken } from "#lib/tokens";
import type { Prisma } from "#prisma/generated/client";
import { addressToConfirm, confirmEmail, findConfirmationState, queueConfirmation, resendConfirmation } from "./email-confirmation.ts";
import { findResetAddress } from "./password-reset.ts";
import { codeOf, failureOf } from "./testing/failures.ts";
import { aMember, aSite, aVisit, type Person } from "./testing/people.ts";

vi.hoisted(() => {
  process.env.MAIL = "outbox";
});

useDatabase();

const INVALID = { code: "INVALID_TOKEN", status: 400 };

let member: Person;

beforeEach(async () => {
  await aSite();
  member = await aMember();
});

/** Sends the member the letter and returns its link's token. */
async function sendLink(): Promise<string> {
  await resendConfirmation(member.viewer, aVisit());
  const { props } = await db.mail.findFirstOrThrow({ orderBy: { mailId: "desc" } });
  const [, token = ""] = /\/confirm-address\?token=([\w-]{43})"/.exec(JSON.stringify(props)) ?? [];
  return token;
}

/** A link's token made by hand. */
async function aLink(facts: Partial<Prisma.MailTokenUncheckedCreateInput> = {}): Promise<string> {
  const { token, tokenHash } = createToken();
  await db.mailToken.create({
    data: { userId: member.userId, email: member.email, purpose: "CONFIRM_EMAIL", tokenHash, expiresAt: new Date(Date.now() + HOUR_MS), ...facts },
  });
  return token;
}

async function isVerified(): Promise<boolean> {
  return (await db.user.findUniqueOrThrow({ where: { userId: member.userId } })).verifiedAt !== null;
}

test("the link of the letter confirms the address, once", async () => {
  const token = await sendLink();

  expect(await addressToConfirm(token)).toBe(member.email);
  await confirmEmail({ token });

  expect(await isVerified()).toBe(true);
  expect(await addressToConfirm(token)).toBeNull();
  expect(await findViewer(member.token)).toMatchObject({ isVerified: true });
  await expect(confirmEmail({ token })).rejects.toMatchObject(INVALID);
});

test("of any number of uses at once one succeeds", async () => {
  const uses = scale(20, 100);
  const token = await sendLink();

  const results = await Promise.allSettled(Array.from({ length: uses }, () => confirmEmail({ token })));

  const failures = results.filter((result) => result.status === "rejected");
  const succeeded = uses - failures.length;
  reportBar({ bar: "C9", measure: `${uses} uses of one link at once`, figure: `${succeeded} succeeded`, ok: succeeded === 1 });
  expect(succeeded).toBe(1);
  for (const { reason } of failures) expect(reason).toMatchObject(INVALID);
  expect(await isVerified()).toBe(true);
});

test("a link works for 24 hours", async () => {
  await sendLink();
  const { expiresAt } = await db.mailToken.findFirstOrThrow();
  expect(Math.abs(expiresAt.getTime() - Date.now() - 24 * HOUR_MS)).toBeLessThan(HOUR_MS / 60);

  await db.mailToken.deleteMany();
  await expect(confirmEmail({ token: await aLink({ expiresAt: new Date(Date.now() - 1000) }) })).rejects.toMatchObject(INVALID);
  expect(await isVerified()).toBe(false);
});

test("a link of another kind confirms nothing, and is not used up", async () => {
  const token = await aLink({ purpose: "RESET_PASSWORD" });

  await expect(confirmEmail({ token })).rejects.toMatchObject(INVALID);

  expect([await isVerified(), await db.mailToken.count()]).toEqual([false, 1]);
});

test("a link sent to a former address confirms nothing", async () => {
  const token = await sendLink();
  await db.user.update({ where: { userId: member.userId }, data: { email: "new@example.org" } });

  expect(await addressToConfirm(token)).toBeNull();
  await expect(confirmEmail({ token })).rejects.toMatchObject(INVALID);

  expect(await isVerified()).toBe(false);
});

test("while somebody is blocked their link confirms nothing", async () => {
  const token = await aLink();
  const block = (blockedAt: Date | null) => db.user.update({ where: { userId: member.userId }, data: { blockedAt } });

  await block(new Date());
  expect(await addressToConfirm(token)).toBeNull();
  await expect(confirmEmail({ token })).rejects.toMatchObject(INVALID);
  expect(await isVerified()).toBe(false);
  await block(null);
  await confirmEmail({ token });
  expect(await isVerified()).toBe(true);
});

test("a new letter ends the links before it, and nobody else's", async () => {
  const otherMember = await aMember();
  const othersToken = await aLink({ userId: otherMember.userId, email: otherMember.email });
  const first = await sendLink();
  const second = await sendLink();

  await expect(confirmEmail({ token: first })).rejects.toMatchObject(INVALID);
  await confirmEmail({ token: second });
  await confirmEmail({ token: othersToken });
  expect(await isVerified()).toBe(true);
});

test("of several letters asked for at once, one link is left", async () => {
  await Promise.all(Array.from({ length: 5 }, () => resendConfirmation(member.viewer, aVisit())));

  expect(await db.mailToken.count()).toBe(1);
});

test("a link opened while another letter is being written waits for that, and is then an older letter's", async () => {
  const token = await aLink();
  let opening: Promise<unknown> = Promise.resolve();

  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT 1 FROM "User" WHERE "userId" = ${member.userId}::uuid FOR NO KEY UPDATE`;
    opening = codeOf(confirmEmail({ token }));
    await sleep(200);
    await queueConfirmation(tx, { ...member, name: "Ada" }, "http://localhost:3000");
  });

  expect(await opening).toBe("INVALID_TOKEN");
  expect([await isVerified(), await db.mailToken.count()]).toEqual([false, 1]);
});

test("who is blocked while their link is being opened is not confirmed", async () => {
  const token = await aLink();
  let opening: Promise<unknown> = Promise.resolve();

  await db.$transaction(async (tx) => {
    await tx.user.update({ where: { userId: member.userId }, data: { blockedAt: new Date() } });
    opening = codeOf(confirmEmail({ token }));
    await sleep(200);
  });

  expect([await opening, await isVerified()]).toEqual(["INVALID_TOKEN", false]);
});

test("a new letter ends no link to a new password, and the link goes into no letter but the person's own to that address that still waits", async () => {
  const resetToken = await aLink({ purpose: "RESET_PASSWORD" });
  const other = await aMember();
  const before = { userId: member.userId, to: member.email, letter: "confirm-address", status: "QUEUED", props: { props: { link: "before" } } } as const;
  const write = async (facts: Partial<Prisma.MailUncheckedCreateInput>) => (await db.mail.create({ data: { ...before, ...facts } })).mailId;
  const waiting = [await write({}), await write({ status: "FAILED" })];
  await write({ status: "SENT" });
  await write({ userId: other.userId });
  await write({ to: "before@example.org" });
  await write({ letter: "new-device" });

  const token = await sendLink();

  const renewed = await db.mail.findMany({ where: { props: { path: ["props", "link"], string_ends_with: `=${token}` } }, orderBy: { mailId: "asc" } });
  expect(renewed.map(({ mailId }) => mailId).slice(0, -1)).toEqual(waiting);
  expect(await findResetAddress(resetToken)).toBe(member.email);
});

test("a second confirming link of one person is refused by the table itself; links to a new password may be several", async () => {
  await aLink();

  await expect(aLink()).rejects.toThrow(/unique constraint/i);
  await aLink({ purpose: "RESET_PASSWORD" });
  await aLink({ purpose: "RESET_PASSWORD" });
});

test("only a hash of the token is stored", async () => {
  const token = await sendLink();
  const [row] = await db.$queryRaw<{ row: string }[]>`SELECT row_to_json("MailToken")::text AS "row" FROM "MailToken"`;

  expect(row?.row).toBeTruthy();
  expect(row?.row).not.toContain(token);
});

test.for(["", "x", "x".repeat(100_000), "\0", "half \ud83c"])("the token %j is no link's", async (token) => {
  await expect(confirmEmail({ token })).rejects.toMatchObject(INVALID);
});

test("a session's token confirms nothing", async () => {
  await expect(confirmEmail({ token: member.token })).rejects.toMatchObject(INVALID);
});

test.for([{}, { token: null }, { token: 7 }, { token: { not: "" } }, { token: ["x"] }])("%o is refused", async (input) => {
  const error = await failureOf(confirmEmail(input));

  expect(error).toMatchObject({ status: 400, field: "token" });
});

test("who has confirmed needs no letter, and who is not signed in gets none", async () => {
  await db.user.update({ where: { userId: member.userId }, data: { verifiedAt: new Date() } });

  await expect(resendConfirmation(member.viewer, aVisit())).rejects.toMatchObject({ code: "EMAIL_VERIFIED", status: 409 });
  await expect(resendConfirmation(null, aVisit())).rejects.toMatchObject({ code: "UNAUTHENTICATED", status: 401 });
  expect(await db.mail.count()).toBe(0);
});

test("somebody is told how their own last confirming letter stands, and of no other's", async () => {
  const state = () => findConfirmationState(member.viewer);
  expect(await state()).toBeNull();
  const letter = { to: member.email, userId: member.userId, letter: "confirm-address", props: {} } as const;
  await db.mail.create({ data: { ...letter, status: "SENT" } });
  await db.mail.create({ data: { ...letter, status: "FAILED" } });
  const other = await aMember();
  await db.mail.create({ data: { ...letter, status: "QUEUED", userId: other.userId } });
  await db.mail.create({ data: { ...letter, status: "QUEUED", to: "before@example.org" } });
  await db.mail.create({ data: { ...letter, status: "QUEUED", letter: "new-device" } });

  expect(await state()).toBe("FAILED");
  await db.mail.create({ data: { ...letter, status: "SENT", props: { link: "http://localhost:3000" } } });
  expect(await state()).toBe("KEPT");
  await expect(findConfirmationState(null)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});
