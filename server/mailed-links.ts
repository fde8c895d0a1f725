import { DAY_MS, HOUR_MS } from "#lib/days";
import { db } from "#lib/db";
import { AppError } from "#lib/errors";
import { hashToken } from "#lib/tokens";
import type { MailTokenPurpose } from "#prisma/generated/enums";
import { KEEP_DONE_DAYS } from "./mails.ts";

/** A link that was sent to the address its person has. */
export type MailedLink = { mailTokenId: string; userId: string; email: string };

/** The link of that kind with this token; null when it was used, has expired, is of another kind or wrong, a blocked person's, or led to a former address. Changes nothing. */
export async function findMailedLink(purpose: MailTokenPurpose, token: string): Promise<MailedLink | null> {
  const link = await db.mailToken.findUnique({
    where: { tokenHash: hashToken(token), purpose, expiresAt: { gt: new Date() }, user: { blockedAt: null } },
    select: { mailTokenId: true, userId: true, email: true, user: { select: { email: true } } },
  });
  return link && link.email === link.user.email ? link : null;
}

/** What is wrong with a mailed link's token that opens nothing, whatever the reason. */
export function invalidLink(): AppError {
  return new AppError("INVALID_TOKEN", "This link was used already, has expired or is not whole. Ask for a new one.", { status: 400, field: "token" });
}

/** When a link expires that works for so long. */
export function hoursFromNow(hours: number): Date {
  return new Date(Date.now() + hours * HOUR_MS);
}

/** Lets a link work for so long from now, unless it was used or ended: whatever tries to send its letter may come later than that. */
export async function renewLink(token: string, hours: number): Promise<void> {
  await db.mailToken.updateMany({ where: { tokenHash: hashToken(token) }, data: { expiresAt: hoursFromNow(hours) } });
}

/** Deletes links of every kind that expired so long ago that nobody sends their letter again. Run daily. */
export async function purgeMailTokens(): Promise<void> {
  await db.mailToken.deleteMany({ where: { expiresAt: { lte: new Date(Date.now() - KEEP_DONE_DAYS * DAY_MS) } } });
}
