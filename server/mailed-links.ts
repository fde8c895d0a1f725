import { HOUR_MS } from "#lib/days";
import { db } from "#lib/db";
import { AppError } from "#lib/errors";

/** What is wrong with a mailed link's token that opens nothing, whatever the reason. */
export function invalidLink(): AppError {
  return new AppError("INVALID_TOKEN", "This link was used already, has expired or is not whole. Ask for a new one.", { status: 400, field: "token" });
}

/** When a link expires that works for so long. */
export function hoursFromNow(hours: number): Date {
  return new Date(Date.now() + hours * HOUR_MS);
}

/** Deletes links of every kind that have expired. Run daily. */
export async function purgeMailTokens(): Promise<void> {
  await db.mailToken.deleteMany({ where: { expiresAt: { lte: new Date() } } });
}
