import { z } from "zod";
import { db, type Tx } from "#lib/db";
import { AppError } from "#lib/errors";
import { verifyPassword, withHashingSlot } from "#lib/passwords";
import type { Visit } from "#lib/visit";
import { emailAddress } from "./credentials.ts";
import { createSession } from "./sessions.ts";
import { siteUrl } from "./settings.ts";
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
 * @throws AppError EMAIL_INVALID, PASSWORD_MISSING, INVALID_CREDENTIALS, or USER_BLOCKED after the right password
 */
export async function logIn(visit: Visit, input: unknown): Promise<SignedInUser> {
  const { email, password } = login.parse(input);
  const account = await db.user.findUnique({ where: { email }, select: { ...userFields, passwordHash: true, blockedAt: true } });
  const isRight = await withHashingSlot(() => verifyPassword(password, account));
  if (!isRight || !account) throw invalidCredentials();
  if (account.blockedAt) throw userBlocked();
  const { passwordHash, blockedAt, ...user } = account;
  const site = await siteUrl(visit);
  return db.$transaction(async (tx) => {
    await recheckAccount(tx, user.userId, passwordHash);
    return toSignedInUser(user, await createSession(tx, user.userId, visit), site);
  });
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
