import { DAY_MS, HOUR_MS } from "#lib/days";
import { db } from "#lib/db";
import { AppError } from "#lib/errors";
import { hashToken } from "#lib/tokens";
import { KEEP_DONE_DAYS } from "./mails.ts";

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
