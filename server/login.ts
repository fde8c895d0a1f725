import { z } from "zod";
import { knownDevice } from "#lib/auth";
import { db, type Tx } from "#lib/db";
import { readDevice } from "#lib/devices";
import { env } from "#lib/env";
import { AppError } from "#lib/errors";
import { verifyPassword, withHashingSlot } from "#lib/passwords";
import type { Visit } from "#lib/visit";
import { emailAddress } from "./credentials.ts";
import { countLogin } from "./limits.ts";
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
  const attempt = await countLogin(visit, email);
  const account = await db.user.findUnique({ where: { email }, select: { ...userFields, passwordHash: true, blockedAt: true } });
  const isRight = await withHashingSlot(() => verifyPassword(password, account));
  if (!isRight || !account) throw invalidCredentials();
  if (account.blockedAt) throw userBlocked();
  const { passwordHash, blockedAt, ...user } = account;
  const [site, linksTo, device] = await Promise.all([siteUrl(visit), linkOrigin(visit), knownDevice(visit, email)]);
  const signedIn = await db.$transaction(async (tx) => {
    await recheckAccount(tx, user.userId, passwordHash);
    if (!device) await queueNewDeviceLetter(tx, user, visit, linksTo);
    return toSignedInUser(user, await createSession(tx, user.userId, visit), site);
  });
  await attempt.succeeded();
  return signedIn;
}

/** Tells the person of a sign-in by a browser or program that they are not signed in with already, should it not have been them. */
async function queueNewDeviceLetter(
  tx: Tx,
  { userId, email, name }: { userId: string; email: string; name: string },
  visit: Visit,
  linksTo: string,
): Promise<void> {
  if (env().MAIL === "none" || (await tx.session.findFirst({ where: { userId, device: visit.device }, select: { sessionId: true } }))) return;
  const { browser, system, kind } = readDevice(visit.device);
  // What a program calls itself may be anything, an advertisement too.
  const props = { name, browser: kind === "program" ? null : browser, system, link: `${linksTo}/me` };
  await queueMail(tx, { to: email, userId, letter: "new-device", props });
}

/**
 * A password changed, or a block set, while the old one was being compared has ended every session: none may begin after it. The lock
 * makes one wait for the other.
 */
async function recheckAccount(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  const [current] = await tx.$queryRaw<{ passwordHash: string; isBlocked: boolean }[]>`
    SELECT "passwordHash", "blockedAt" IS NOT NULL AS "isBlocked" FROM "User" WHERE "userId" = ${userId}::uuid FOR SHARE`;
  if (current?.passwordHash !== passwordHash) throw invalidCredentials();
  if (current.isBlocked) throw userBlocked();
}

function invalidCredentials(): AppError {
  return new AppError("INVALID_CREDENTIALS", "The e-mail address or the password is not right.");
}

function userBlocked(): AppError {
  return new AppError("USER_BLOCKED", "This account is blocked. Ask an owner of this site.");
}
