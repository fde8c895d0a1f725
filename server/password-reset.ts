import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { db, type Tx } from "#lib/db";
import { env } from "#lib/env";
import { logFailure } from "#lib/failures";
import { assertMailConfigured } from "#lib/mail";
import { hashPassword, withHashingSlot } from "#lib/passwords";
import { widePlaceOf } from "#lib/rate-limits";
import { createToken } from "#lib/tokens";
import type { Visit } from "#lib/visit";
import { refuseCommonPassword } from "./common-passwords.ts";
import { emailAddress, newPassword } from "./credentials.ts";
import { countLetter, forgetGuesses } from "./limits.ts";
import { findMailedLink, hoursFromNow, invalidLink, type MailedLink } from "./mailed-links.ts";
import { queueMail } from "./mails.ts";
import { getAccountRules, linkOrigin } from "./settings.ts";
import { afterPasswordChange } from "./users.ts";

/** How long a link for a new password works. */
const VALID_HOURS = 1;

/** How long after the answer the letter is written, in milliseconds: somewhere between these. A stop waits a second for it (`front/site.ts`). */
const LETTER_AFTER_MS = [50, 250] as const;

/** What `POST /auth/password/reset` takes. */
export const resetRequest = z.object({ email: emailAddress });

/** What `POST /auth/password/validate` takes. */
export const passwordReset = z.object({ token: z.string("must be text"), password: newPassword });

const newPasswordOnly = passwordReset.pick({ password: true });

const findLink = (token: string) => findMailedLink("RESET_PASSWORD", token);

/**
 * Reads who wants a new password. What it returns sends the letter, if somebody has an account with that address, and is to be
 * run once the request is answered: the answer, and the time it takes, are the same for every address.
 * @throws AppError MAIL_CONFIG_MISSING, EMAIL_INVALID or RATE_LIMITED
 */
export async function requestPasswordReset(visit: Visit, input: unknown): Promise<() => Promise<void>> {
  assertMailConfigured();
  const { email } = resetRequest.parse(input);
  await countLetter(visit, email);
  const linksTo = await linkOrigin(visit);
  return async () => {
    // Begun as soon as the answer is out, it would still make itself felt there: that an account is found must not be told by time.
    await sleep(randomInt(...LETTER_AFTER_MS));
    await queueResetLetter(email, linksTo).catch((error: unknown) =>
      logFailure(error, { requestId: null, what: "an email for a new password could not be written" }),
    );
  };
}

/** The address that a mailed link gives a new password to; null when the link was used, has expired, is of another kind or wrong, or a blocked person's. Changes nothing. */
export async function findResetAddress(token: string): Promise<string | null> {
  return (await findLink(token))?.email ?? null;
}

/**
 * Gives the person whom a mailed link was sent to a new password, and returns their address. Every session and every other such
 * link of theirs ends; of any number of uses at once one succeeds. That the link arrived confirms the address.
 * @throws AppError INVALID_TOKEN (400) when the link was used, has expired, is of another kind, wrong or missing, or a blocked person's; then PASSWORD_…
 */
export async function resetPassword(visit: Visit, input: unknown): Promise<{ email: string }> {
  const token = passwordReset.shape.token.safeParse((input as { token?: unknown } | null)?.token).data ?? "";
  if (!(await findLink(token))) throw invalidLink();
  const { password } = newPasswordOnly.parse(input);
  if ((await getAccountRules()).blockCommonPasswords) refuseCommonPassword(password);
  const linksTo = await linkOrigin(visit);
  return withHashingSlot(widePlaceOf(visit.ip), async () => {
    // Looked at again when the slot opens: of a crowd with one link, all but the first need no hash.
    const link = await findLink(token);
    if (!link) throw invalidLink();
    const passwordHash = await hashPassword(password, link.userId);
    await db.$transaction((tx) => useLink(tx, link, { passwordHash, linksTo }));
    await forgetGuesses(link.email);
    return { email: link.email };
  });
}

async function queueResetLetter(email: string, linksTo: string): Promise<void> {
  const user = await db.user.findUnique({ where: { email, blockedAt: null }, select: { userId: true, name: true } });
  if (!user) return;
  const { userId, name } = user;
  await db.$transaction(async (tx) => {
    const { token, tokenHash } = createToken();
    await tx.mailToken.create({ data: { userId, email, purpose: "RESET_PASSWORD", tokenHash, expiresAt: hoursFromNow(VALID_HOURS) } });
    await queueMail(tx, {
      to: email,
      userId,
      letter: "reset-password",
      props: { name, link: `${linksTo}/reset-password?token=${token}`, validHours: VALID_HOURS },
    });
  });
}

/** The account's row comes first, as in every other change of a password: who holds it waits for nobody, and a sign-in under way has ended or begins after. */
async function useLink(
  tx: Tx,
  { mailTokenId, userId, email }: MailedLink,
  { passwordHash, linksTo }: { passwordHash: string; linksTo: string },
): Promise<void> {
  const changed = await tx.user.updateMany({ where: { userId, email, blockedAt: null }, data: { passwordHash } });
  const used = await tx.mailToken.deleteMany({ where: { mailTokenId } });
  if (changed.count === 0 || used.count === 0) throw invalidLink();
  await tx.user.updateMany({ where: { userId, verifiedAt: null }, data: { verifiedAt: new Date() } });
  await tx.session.deleteMany({ where: { userId } });
  await afterPasswordChange(tx, userId, { linksTo, isTold: env().MAIL !== "none" });
}
