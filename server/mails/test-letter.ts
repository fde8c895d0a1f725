import { randomUUID } from "node:crypto";
import { renderLetter } from "#emails/render";
import type { Viewer } from "#lib/auth";
import { db } from "#lib/db";
import { env } from "#lib/env";
import { assertMailConfigured, sendMail } from "#lib/mail";
import type { Visit } from "#lib/visit";
import { type StoredLetter, siteOfLetter } from "../mails.ts";
import { authorize } from "../permissions.ts";
import { siteUrl } from "../settings.ts";

type Answer = { outcome: "sent" } | { outcome: "refused"; words: string } | { outcome: "unanswered"; afterMs: number };

/** How a test went: the mail server took the letter, or refused it in these words, or said nothing in time; or the letter lies in the outbox. */
export type TestResult = { to: string } & (Answer | { outcome: "outbox" });

/** Whoever asks waits for it, so the test is not as patient as the queue. */
const PATIENCE_MS = 10_000;

/**
 * Sends a letter to the viewer's own address, at once and once, to show whether mail works.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `settings:update`; MAIL_CONFIG_MISSING
 */
export async function sendTestLetter(viewer: Viewer, visit: Visit, { withinMs = PATIENCE_MS } = {}): Promise<TestResult> {
  authorize(viewer, "settings:update");
  assertMailConfigured();
  const { userId, email: to, name } = await db.user.findUniqueOrThrow({ where: { userId: viewer.userId }, select: { userId: true, email: true, name: true } });
  const props = { name, link: `${await siteUrl(visit)}/dashboard/settings/mail` };
  const site = await siteOfLetter(db, userId, props);
  if (env().MAIL === "outbox") {
    const stored: StoredLetter = { site, props };
    await db.mail.create({ data: { to, userId, letter: "test", props: stored, status: "SENT", sentAt: new Date(), attempts: 1 } });
    return { to, outcome: "outbox" };
  }
  const letter = await renderLetter("test", props, site);
  return { to, ...(await answerTo(sendMail({ id: randomUUID(), to, writtenAt: new Date(), ...letter }, site), withinMs)) };
}

/** What the mail server answers, a refusal in its own words. */
async function answerTo(sending: Promise<void>, withinMs: number): Promise<Answer> {
  const silence = Promise.withResolvers<Answer>();
  const timer = setTimeout(() => silence.resolve({ outcome: "unanswered", afterMs: withinMs }), withinMs);
  const answer = sending.then(
    (): Answer => ({ outcome: "sent" }),
    (error: unknown): Answer => ({ outcome: "refused", words: error instanceof Error ? error.message : String(error) }),
  );
  try {
    return await Promise.race([answer, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}
