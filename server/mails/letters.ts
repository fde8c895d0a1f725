import { type LetterName, type RenderedLetter, renderLetter } from "#emails/render";
import type { Viewer } from "#lib/auth";
import { db } from "#lib/db";
import { env } from "#lib/env";
import { isUuid } from "#lib/ids";
import { type Attempt, nextAttemptOf } from "#lib/jobs";
import { sendMail } from "#lib/mail";
import { countMailFailure } from "#lib/metrics";
import { oneLine } from "#lib/text";
import { addressToConfirm } from "../email-confirmation.ts";
import { renewLink } from "../mailed-links.ts";
import { factsOf, type MailFacts, mailNotFound, type StoredLetter, storedFacts } from "../mails.ts";
import { findResetAddress } from "../password-reset.ts";
import { authorize } from "../permissions.ts";
import { hasContent } from "./letter-state.ts";

// Apart from mails.ts because templates are .tsx, which only Next and the tests can load.

const MAX_ERROR_LENGTH = 1000;

/** The letters whose link does what they are about, once, whoever opens it; and for which address such a link's token still does, null where it does no longer. */
const ONE_TIME_LINKS: Record<string, (token: string) => Promise<string | null>> = {
  "confirm-address": addressToConfirm,
  "reset-password": findResetAddress,
} satisfies Partial<Record<LetterName, unknown>>;

/** A letter, what it says, and what may become of it. */
type Letter = MailFacts & { rendered: RenderedLetter | null; oneTimeLink: string | null; nextAttemptAt: Date | null };

/**
 * A letter and what it says. `rendered` is null once a real mail server took it: then its content is kept nowhere. `oneTimeLink` is what it
 * brings, where that is a link that works once, and still does. `nextAttemptAt` is of one that did not get through, and is tried again.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `mail:read`; NOT_FOUND
 */
export async function getMail(viewer: Viewer, mailId: string): Promise<Letter> {
  authorize(viewer, "mail:read");
  const row = isUuid(mailId) ? await db.mail.findUnique({ where: { mailId }, select: storedFacts }) : null;
  if (!row) throw mailNotFound();
  const isTriedAgain = row.status === "QUEUED" && row.attempts > 0;
  const facts = { ...factsOf(row), nextAttemptAt: isTriedAgain ? await nextAttemptOf(mailId) : null };
  if (!hasContent(row.props)) return { ...facts, rendered: null, oneTimeLink: null };
  return { ...facts, rendered: await renderStored(row.letter, row.props), oneTimeLink: await workingLink(row.letter, row.props) };
}

async function workingLink(letter: string, props: unknown): Promise<string | null> {
  const { link } = storedLetter(props).props;
  const address = await ONE_TIME_LINKS[letter]?.(tokenIn(link));
  return address ? link : null;
}

function tokenIn(link: string): string {
  return new URL(link).searchParams.get("token") ?? "";
}

/**
 * Sends a queued letter and notes how that went; one that is sent or gone is left alone. The time that its link works begins with
 * each attempt, however long it waited. The handler of the `mail` queue.
 * @throws MailError, or whatever else stood in the way, when it is worth another attempt
 */
export async function deliverMail(mailId: string, { isLastAttempt }: Attempt): Promise<void> {
  const mail = await db.mail.findUnique({ where: { mailId }, select: { mailId: true, to: true, letter: true, status: true, props: true, createdAt: true } });
  if (mail?.status !== "QUEUED") return;
  try {
    const { site, props } = storedLetter(mail.props);
    if ("validHours" in props && props.validHours) await renewLink(tokenIn(props.link), props.validHours);
    await sendMail({ id: mailId, to: mail.to, writtenAt: mail.createdAt, ...(await renderStored(mail.letter, mail.props)) }, site);
  } catch (error) {
    countMailFailure();
    const isGivenUp = isLastAttempt || isPermanent(error);
    const lastError = oneLine(error instanceof Error ? error.message : String(error), MAX_ERROR_LENGTH);
    // Only while it is queued: another worker, which took this job over, may have sent it meanwhile.
    await db.mail.updateMany({ where: { mailId, status: "QUEUED" }, data: { attempts: { increment: 1 }, lastError, status: isGivenUp ? "FAILED" : "QUEUED" } });
    if (isGivenUp) return;
    throw error;
  }
  // A link's token may be in there. Only the outbox still needs it, for it has no other copy.
  const props = env().MAIL === "outbox" ? undefined : {};
  await db.mail.updateMany({ where: { mailId }, data: { status: "SENT", sentAt: new Date(), attempts: { increment: 1 }, lastError: null, props } });
}

async function renderStored(letter: string, props: unknown): Promise<RenderedLetter> {
  const stored = storedLetter(props);
  return renderLetter(letter as LetterName, stored.props, stored.site);
}

/** As `queueMail` stored it. */
function storedLetter(props: unknown): StoredLetter {
  return props as StoredLetter;
}

function isPermanent(error: unknown): boolean {
  return (error as { isPermanent?: boolean }).isPermanent === true;
}
