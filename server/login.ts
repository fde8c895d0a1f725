import { z } from "zod";
import { knownDevice, livingSessions } from "#lib/auth";
import { db, type Tx } from "#lib/db";
import { readDevice } from "#lib/devices";
import { env } from "#lib/env";
import { AppError } from "#lib/errors";
import { hashPassword, isOutdated, verifyPassword, withHashingSlot } from "#lib/passwords";
import { widePlaceOf } from "#lib/rate-limits";
import type { Visit } from "#lib/visit";
import { emailAddress } from "./credentials.ts";
import { countedAsGuess, countLogin, mayWriteUnasked } from "./limits.ts";
import { queueMail } from "./mails.ts";
import { createSession } from "./sessions.ts";
import { linkOrigin, siteUrl } from "./settings.ts";
import { type SignedInUser, toSignedInUser, userFields } from "./users.ts";

/** What `POST /auth/login` takes. */
export const login = z.object({
  email: emailAddress,
  password: z
    .unknown()
    .transform((value, context) => {
      if (typeof value === "string" && value !== "") return value;
      context.addIssue({ code: "custom", message: "Give your password.", params: { code: "PASSWORD_MISSING" } });
      return z.NEVER;
    })
    .meta({ type: "string", format: "password" }),
});

/**
 * Signs a person in. An unknown address and a wrong password are alike, in words and in time.
 * @throws AppError EMAIL_INVALID, PASSWORD_MISSING, RATE_LIMITED, INVALID_CREDENTIALS, or USER_BLOCKED after the right password
 */
export async function logIn(visit: Visit, input: unknown): Promise<SignedInUser> {
  const { email, password } = login.parse(input);
  return countedAsGuess(await countLogin(visit, email), () => signIn(visit, email, password));
}

async function signIn(visit: Visit, email: string, password: string): Promise<SignedInUser> {
  const account = await db.user.findUnique({ where: { email }, select: { ...userFields, passwordHash: true, verifiedAt: true } });
  const { isRight, newHash } = await withHashingSlot(widePlaceOf(visit.ip), () => compare(password, account));
  if (!isRight || !account) throw invalidCredentials();
  const { passwordHash, verifiedAt, ...user } = account;
  const [site, linksTo, device] = await Promise.all([siteUrl(visit), linkOrigin(visit), knownDevice(visit, email)]);
  const isNew = !device && env().MAIL !== "none" && !(await isKnownProgram(user.userId, visit));
  const isTold = isNew && (await mayWriteUnasked("new-device", { ...user, isVerified: verifiedAt !== null }));
  const signedIn = await db.$transaction(async (tx) => {
    if (!(await isStillSo(tx, user.userId, passwordHash))) return null;
    if (newHash) await tx.user.update({ where: { userId: user.userId }, data: { passwordHash: newHash } });
    if (isTold) await queueNewDeviceLetter(tx, user, visit, linksTo);
    return toSignedInUser(user, await createSession(tx, user.userId, visit), site);
  });
  return signedIn ?? signIn(visit, email, password);
}

/** Whether the password is right; if its hash is outdated, with a new one. To be called inside `withHashingSlot`. */
async function compare(password: string, account: { userId: string; passwordHash: string } | null): Promise<{ isRight: boolean; newHash?: string }> {
  const isRight = await verifyPassword(password, account);
  return isRight && account && isOutdated(account.passwordHash) ? { isRight, newHash: await hashPassword(password, account.userId) } : { isRight };
}

/** Programs keep no cookie: of those, one is new that calls itself as no living session's does. */
async function isKnownProgram(userId: string, { device }: Visit): Promise<boolean> {
  if (readDevice(device).kind !== "program") return false;
  return (await db.session.findFirst({ where: { userId, device, ...livingSessions() }, select: { sessionId: true } })) !== null;
}

/** Tells the person of a sign-in by a browser or a program that has not signed in before, should it not have been them. */
async function queueNewDeviceLetter(
  tx: Tx,
  { userId, email, name }: { userId: string; email: string; name: string },
  visit: Visit,
  linksTo: string,
): Promise<void> {
  const { browser, system, kind } = readDevice(visit.device);
  // What a program calls itself may be anything, an advertisement too.
  const props = { name, browser: kind === "program" ? null : browser, system, link: `${linksTo}/me` };
  await queueMail(tx, { to: email, userId, letter: "new-device", props });
}

/**
 * Whether this is still the account's password; if not, the new one has to be looked at. A password changed, or a block set, while the old
 * one was being compared has ended every session: none may begin after it. The lock makes one wait for the other.
 * @throws AppError USER_BLOCKED
 */
async function isStillSo(tx: Tx, userId: string, passwordHash: string): Promise<boolean> {
  const [current] = await tx.$queryRaw<{ passwordHash: string; isBlocked: boolean }[]>`
    SELECT "passwordHash", "blockedAt" IS NOT NULL AS "isBlocked" FROM "User" WHERE "userId" = ${userId}::uuid FOR NO KEY UPDATE`;
  if (current?.passwordHash !== passwordHash) return false;
  if (current.isBlocked) throw userBlocked();
  return true;
}

function invalidCredentials(): AppError {
  return new AppError("INVALID_CREDENTIALS", "The email address or the password is not right.");
}

function userBlocked(): AppError {
  return new AppError("USER_BLOCKED", "This account is blocked. Ask an owner of this site.");
}
