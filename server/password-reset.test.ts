import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { findViewer } from "#lib/auth";
import { HOUR_MS } from "#lib/days";
import { db } from "#lib/db";
import { knownError } from "#lib/failures";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { type Faults, plantFaults } from "#lib/testing/faults";
import { scale } from "#lib/testing/scale";
import { createToken } from "#lib/tokens";
import type { Prisma } from "#prisma/generated/client";
import { logIn } from "./login.ts";
import { resetOwnerPassword } from "./owner-recovery.ts";
import { findResetAddress, requestPasswordReset, resetPassword } from "./password-reset.ts";
import { failureOf } from "./testing/failures.ts";
import { aMember, anOwner, aSession, aSite, aVisit, PASSWORD, type Person } from "./testing/people.ts";
import { updateOwnUser } from "./users.ts";

vi.hoisted(() => {
  process.env.MAIL = "outbox";
});

useDatabase();

const NEW_PASSWORD = "a whole new password";
const INVALID = { code: "INVALID_TOKEN", status: 400 };

let faults: Faults;
let member: Person;

beforeAll(async () => {
  faults = await plantFaults();
});

beforeEach(async () => {
  await aSite();
  member = await aMember();
});

/** Asks for a letter, and waits until it is written, if one is. */
async function ask(email: string): Promise<void> {
  const sendLetter = await requestPasswordReset(aVisit(), { email });
  await sendLetter();
}

/** The token in the link of the newest letter. */
async function newestToken(): Promise<string> {
  const { props } = await db.mail.findFirstOrThrow({ where: { letter: "reset-password" }, orderBy: { mailId: "desc" } });
  const [, token = ""] = /"https:\/\/feedback\.example\.com\/reset-password\?token=([\w-]{43})"/.exec(JSON.stringify(props)) ?? [];
  return token;
}

/** A link's token made by hand. */
async function aLink(facts: Partial<Prisma.MailTokenUncheckedCreateInput> = {}): Promise<string> {
  const { token, tokenHash } = createToken();
  await db.mailToken.create({
    data: { userId: member.userId, email: member.email, purpose: "RESET_PASSWORD", tokenHash, expiresAt: new Date(Date.now() + HOUR_MS), ...facts },
  });
  return token;
}

function reset(token: unknown, password: unknown = NEW_PASSWORD) {
  return resetPassword(aVisit(), { token, password });
}

/** Whether this password signs the member in. */
function opens(password: string): Promise<boolean> {
  return logIn(aVisit(), { email: member.email, password }).then(
    () => true,
    () => false,
  );
}

const lettersOf = (letter: string) => db.mail.findMany({ where: { letter }, select: { to: true, userId: true } });

test("the link of the letter sets a new password, once", async () => {
  await ask(` ${member.email.toUpperCase()} `);
  const token = await newestToken();
  expect(await findResetAddress(token)).toBe(member.email);
  expect(await findResetAddress(token)).toBe(member.email);

  expect(await reset(token)).toEqual({ email: member.email });

  expect([await opens(PASSWORD), await opens(NEW_PASSWORD)]).toEqual([false, true]);
  expect(await findResetAddress(token)).toBeNull();
  await expect(reset(token, "yet another password")).rejects.toMatchObject(INVALID);
  expect(await opens(NEW_PASSWORD)).toBe(true);
});

test("a new password ends every session and every other link, confirms the address, and is told of in a letter", async () => {
  const other = await aSession(member.userId);
  const otherLink = await aLink();
  const bystander = await aMember();
  const theirLink = await aLink({ userId: bystander.userId, email: bystander.email });

  await reset(await aLink());

  expect([await findViewer(member.token), await findViewer(other.token)]).toEqual([null, null]);
  await expect(reset(otherLink)).rejects.toMatchObject(INVALID);
  expect((await db.user.findUniqueOrThrow({ where: { userId: member.userId } })).verifiedAt).not.toBeNull();
  expect(await lettersOf("password-changed")).toEqual([{ to: member.email, userId: member.userId }]);
  expect(await findViewer(bystander.token)).toEqual(bystander.viewer);
  expect(await findResetAddress(theirLink)).toBe(bystander.email);
});

test("of any number of uses at once one succeeds", async () => {
  const uses = scale(20, 100);
  const token = await aLink();
  const passwords = Array.from({ length: uses }, (_, index) => `password number ${index}`);

  const results = await Promise.allSettled(passwords.map((password) => reset(token, password)));

  const failures = results.filter((result) => result.status === "rejected");
  const succeeded = uses - failures.length;
  reportBar({
    bar: "C9",
    measure: `${uses} uses of one link for a new password at once`,
    figure: `${succeeded} succeeded`,
    ok: succeeded === 1,
  });
  expect(succeeded).toBe(1);
  for (const { reason } of failures) expect(reason).toMatchObject(INVALID);
  expect(await opens(passwords[results.findIndex(({ status }) => status === "fulfilled")] ?? "")).toBe(true);
  expect(await lettersOf("password-changed")).toHaveLength(1);
});

test("no session that begins while the password is being changed outlives it", async () => {
  const token = await aLink();
  const transaction = db.$transaction.bind(db) as (work: unknown, options?: unknown) => Promise<never>;
  const changed = Promise.withResolvers<void>();
  // The old password was found right, and the session is still to begin.
  const held = vi.spyOn(db, "$transaction").mockImplementationOnce(async (work: unknown) => changed.promise.then(() => transaction(work)));
  const signingIn = logIn(aVisit(), { email: member.email, password: PASSWORD }).then(() => "signed in", knownError);
  onTestFinished(() => {
    changed.resolve();
    held.mockRestore();
  });
  await vi.waitFor(() => expect(held).toHaveBeenCalledTimes(1), { timeout: 10_000 });

  await reset(token);
  changed.resolve();

  expect(await signingIn).toMatchObject({ code: "INVALID_CREDENTIALS" });
  expect(await db.session.count({ where: { userId: member.userId } })).toBe(0);
});

test("a link works for an hour", async () => {
  await ask(member.email);
  const { expiresAt } = await db.mailToken.findFirstOrThrow();
  expect(Math.abs(expiresAt.getTime() - Date.now() - HOUR_MS)).toBeLessThan(HOUR_MS / 60);

  await expect(reset(await aLink({ expiresAt: new Date(Date.now() - 1000) }))).rejects.toMatchObject(INVALID);
  expect(await opens(PASSWORD)).toBe(true);
});

test("a link of another kind sets no password, and is not used up", async () => {
  const token = await aLink({ purpose: "CONFIRM_EMAIL" });

  await expect(reset(token)).rejects.toMatchObject(INVALID);

  expect([await opens(PASSWORD), await db.mailToken.count()]).toEqual([true, 1]);
});

test("a link sent to a former address, or to somebody else's, sets no password", async () => {
  const eve = await aMember();
  const token = await aLink({ email: eve.email });
  const former = await aLink({ email: "former@example.org" });

  for (const link of [token, former]) await expect(reset(link)).rejects.toMatchObject(INVALID);

  expect(await opens(PASSWORD)).toBe(true);
});

test("who is blocked gets no letter, and a link from before does nothing", async () => {
  const token = await aLink();
  await db.user.update({ where: { userId: member.userId }, data: { blockedAt: new Date() } });

  await ask(member.email);

  expect(await db.mail.count()).toBe(0);
  await expect(reset(token)).rejects.toMatchObject(INVALID);
});

test("for an address without an account nothing is written, and nothing is said", async () => {
  await ask("nobody@example.org");

  expect([await db.mail.count(), await db.mailToken.count()]).toEqual([0, 0]);
});

test("what is asked of the database before the answer is the same for every address", async () => {
  const forSomebody = faults.record();
  const sends = [await requestPasswordReset(aVisit(), { email: member.email })];
  const forNobody = faults.record();
  sends.push(await requestPasswordReset(aVisit(), { email: "nobody@example.org" }));
  faults.record();

  expect(forSomebody.length).toBeGreaterThan(0);
  expect(forNobody).toEqual(forSomebody);
  for (const send of sends) expect(await send()).toBeUndefined();
  expect(await db.mail.count()).toBe(1);
});

test("only a hash of the token is stored", async () => {
  await ask(member.email);
  const [row] = await db.$queryRaw<{ row: string }[]>`SELECT row_to_json("MailToken")::text AS "row" FROM "MailToken"`;

  expect(row?.row).toBeTruthy();
  expect(row?.row).not.toContain(await newestToken());
});

test.for(["", "x", "x".repeat(100_000), "\0", "half \ud83c", undefined, null, 7, { not: "" }, ["x"]])("the token %j is no link's", async (token) => {
  const error = await failureOf(reset(token));

  expect(error).toMatchObject({ ...INVALID, field: "token" });
});

test("a session's token sets no password", async () => {
  await expect(reset(member.token)).rejects.toMatchObject(INVALID);
});

test.for([
  ["", "PASSWORD_MISSING"],
  ["1234567", "PASSWORD_TOO_SHORT"],
  ["x".repeat(257), "PASSWORD_TOO_LONG"],
  [null, "PASSWORD_MISSING"],
] as const)("the new password %j is %s, and the link still works", async ([password, code]) => {
  const token = await aLink();

  expect(await failureOf(reset(token, password))).toMatchObject({ code, status: 400, field: "password" });
  await reset(token);
});

test("a common new password is refused where the owner asked for that", async () => {
  await db.siteSettings.updateMany({ data: { blockCommonPasswords: true } });

  await expect(reset(await aLink(), "password1")).rejects.toMatchObject({ code: "PASSWORD_TOO_COMMON" });
});

test("a password changed by who is signed in ends the links for a new one, and is told of in a letter", async () => {
  const token = await aLink();

  await updateOwnUser(member.viewer, aVisit(), { name: "Ada L." });
  expect(await lettersOf("password-changed")).toEqual([]);
  await updateOwnUser(member.viewer, aVisit(), { password: { current: PASSWORD, new: NEW_PASSWORD } });

  await expect(reset(token)).rejects.toMatchObject(INVALID);
  expect(await lettersOf("password-changed")).toEqual([{ to: member.email, userId: member.userId }]);
});

test("a password reset on the machine ends the owner's links, too", async () => {
  const owner = await anOwner();
  const token = await aLink({ userId: owner.userId, email: owner.email });

  await resetOwnerPassword();

  await expect(reset(token)).rejects.toMatchObject(INVALID);
});

test.for(["", "x", "a@b", null, undefined, 7])("%j is no address to ask for", async (email) => {
  const error = await failureOf(requestPasswordReset(aVisit(), { email }));

  expect(error).toMatchObject({ code: "EMAIL_INVALID", status: 400, field: "email" });
});
