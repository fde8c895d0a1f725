import { db } from "#lib/db";
import type { Prisma } from "#prisma/generated/client";
import { STORED_AS } from "./letter-state.ts";

/** How many letters did not get through, and what the mail server last said of the newest. */
type MailFailures = { letters: number; error: string };

/** Letters that wait because the mail server did not take them; null where none does. */
export function findFailingLetters(): Promise<MailFailures | null> {
  return findFailures({ ...STORED_AS.QUEUED, lastError: { not: null } });
}

/** Letters that were given up, until each is sent again or deleted for its age; null where there are none. */
export function findFailedLetters(): Promise<MailFailures | null> {
  return findFailures(STORED_AS.FAILED);
}

async function findFailures(where: Prisma.MailWhereInput): Promise<MailFailures | null> {
  const newest = await db.mail.findFirst({ where, select: { lastError: true }, orderBy: { mailId: "desc" } });
  return newest && { letters: await db.mail.count({ where }), error: newest.lastError ?? "" };
}
