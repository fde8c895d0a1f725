import { z } from "zod";
import { db } from "#lib/db";
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
  if (!isRight || !account) throw new AppError("INVALID_CREDENTIALS", "The e-mail address or the password is not right.");
  if (account.blockedAt) throw new AppError("USER_BLOCKED", "This account is blocked. Ask an owner of this site.");
  const { passwordHash, blockedAt, ...user } = account;
  return toSignedInUser(user, await createSession(db, user.userId, visit), await siteUrl(visit));
}
