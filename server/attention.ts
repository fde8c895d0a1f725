import type { Viewer } from "#lib/auth";
import { MINUTE_MS } from "#lib/days";
import { db } from "#lib/db";
import { env } from "#lib/env";
import { findFailedLetters } from "./mails/failures.ts";
import { authorize } from "./permissions.ts";
import { getSettings } from "./settings.ts";

/** A letter that is queued for longer has met a mail server that is away. */
const WAITING_AFTER_MS = 10 * MINUTE_MS;

/** What somebody who runs the site should look at; `count` where there can be several. */
export type Attention = { matter: "failedLetters" | "waitingLetters" | "signupWithoutMail"; count: number };

/**
 * What waits for the viewer, the most pressing first; empty when nothing does. What stands badly with the machine is in `runChecks`.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `settings:update` and `mail:read`
 */
export async function listAttention(viewer: Viewer): Promise<Attention[]> {
  authorize(viewer, "mail:read");
  const [{ allowSignup }, failed, waiting] = await Promise.all([
    getSettings(viewer),
    findFailedLetters(),
    db.mail.count({ where: { status: "QUEUED", createdAt: { lt: new Date(Date.now() - WAITING_AFTER_MS) } } }),
  ]);
  const matters: Attention[] = [
    { matter: "signupWithoutMail", count: Number(allowSignup && env().MAIL === "none") },
    { matter: "failedLetters", count: failed?.letters ?? 0 },
    { matter: "waitingLetters", count: waiting },
  ];
  return matters.filter(({ count }) => count > 0);
}
