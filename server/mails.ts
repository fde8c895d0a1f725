import { z } from "zod";
import type { LetterName, LetterProps } from "#emails/render";
import type { Viewer } from "#lib/auth";
import { DAY_MS, MINUTE_MS } from "#lib/days";
import { db, type Tx } from "#lib/db";
import { env } from "#lib/env";
import { AppError } from "#lib/errors";
import { isUuid } from "#lib/ids";
import { enqueue, mailsWithoutJob } from "#lib/jobs";
import { assertOneAddress, type MailSite } from "#lib/mail";
import { likePattern } from "#lib/search";
import { searchQuery } from "#lib/search-query";
import type { Prisma } from "#prisma/generated/client";
import { MAX_EMAIL_LENGTH } from "./credentials.ts";
import { LETTER_STATES, type LetterState, letterState, STORED_AS } from "./mails/letter-state.ts";
import { authorize } from "./permissions.ts";
import { DEFAULT_SITE_TITLE, THE_SITE } from "./settings.ts";

// A letter is what somebody is to get, written by a template of `emails/`; a `Mail` is its row; a field called `email` is an address. People read of emails.

const PAGE_SIZE = 20;
/** For how many days after they were written letters are kept that were sent or given up, and their links: as far as the dashboard looks back. */
export const KEEP_DONE_DAYS = 90;
/** A letter that waits this long without a job has lost it. */
const STRANDED_AFTER_MS = 10 * MINUTE_MS;
const STRANDED_PAGE_SIZE = 500;

/** A letter that somebody is to get. */
export type NewMail<Name extends LetterName> = { to: string; userId: string | null; letter: Name; props: LetterProps[Name] };

/** What `Mail.props` holds until a real transport took the letter: all that rendering needs, so that every attempt sends the same, but for a link that `replaceLink` exchanged. */
export type StoredLetter = { site: MailSite & { locale?: string }; props: LetterProps[LetterName] };

/** The query of `listMails`: `q`, cut where it is longer than any address, is looked for in who gets them, `after` is the last mailId of the page before. */
export const mailsQuery = z.object({
  q: searchQuery(MAX_EMAIL_LENGTH),
  after: z.uuid("must be the id of an email").optional(),
  status: z.enum(LETTER_STATES, `must be one of ${LETTER_STATES.join(", ")}`).optional(),
});

/** What `factsOf` reads. */
export const storedFacts = {
  mailId: true,
  to: true,
  letter: true,
  status: true,
  props: true,
  attempts: true,
  lastError: true,
  createdAt: true,
  sentAt: true,
} satisfies Prisma.MailSelect;

type StoredFacts = Prisma.MailGetPayload<{ select: typeof storedFacts }>;

/** The facts of a letter, as its list shows them. */
export type MailFacts = Omit<StoredFacts, "status" | "props"> & { status: LetterState };

/** What a list tells of a stored letter: how it stands, and nothing of what it says. */
export function factsOf({ props, ...stored }: StoredFacts): MailFacts {
  return { ...stored, status: letterState({ ...stored, props }) };
}

/**
 * One page of the letters written, newest first, 20 a page. `next` is the `after` of the following page, null on the last.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `mail:read`
 * @throws ZodError if `query` is not a `mailsQuery`
 */
export async function listMails(viewer: Viewer, query: unknown = {}): Promise<{ mails: MailFacts[]; next: string | null }> {
  authorize(viewer, "mail:read");
  const { q, after, status } = mailsQuery.parse(query);
  // Ids are UUIDv7: their order is that of writing.
  const rows = await db.mail.findMany({
    where: { ...(await sentTo(q)), ...(status && STORED_AS[status]), mailId: { lt: after } },
    select: storedFacts,
    orderBy: { mailId: "desc" },
    take: PAGE_SIZE + 1,
  });
  const mails = rows.slice(0, PAGE_SIZE).map(factsOf);
  return { mails, next: rows.length > PAGE_SIZE ? (mails.at(-1)?.mailId ?? null) : null };
}

/**
 * How many letters stand how, of those that `q` finds.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `mail:read`
 * @throws ZodError if `query` is not a `mailsQuery`
 */
export async function countMails(viewer: Viewer, query: unknown = {}): Promise<Record<LetterState, number>> {
  authorize(viewer, "mail:read");
  const { q } = mailsQuery.parse(query);
  const toThem = await sentTo(q);
  const counts = await Promise.all(LETTER_STATES.map(async (state) => [state, await db.mail.count({ where: { ...toThem, ...STORED_AS[state] } })] as const));
  return Object.fromEntries(counts) as Record<LetterState, number>;
}

/** Those to the address `q`; where there are none, those to an address that holds it; all where it is empty. So whoever was written to is found alone by their whole address. */
async function sentTo(q: string): Promise<Prisma.MailWhereInput> {
  if (!q) return {};
  const part = likePattern(q);
  // Regardless of case Prisma compares by ILIKE here, too.
  const toThis: Prisma.MailWhereInput = { to: { equals: part, mode: "insensitive" } };
  const isWhole = await db.mail.findFirst({ where: toThis, select: { mailId: true } });
  return isWhole ? toThis : { to: { contains: part, mode: "insensitive" } };
}

/**
 * Writes a letter in the transaction of what it tells of: it goes out if and when that commits, however long the mail server is away.
 * @throws AppError VALIDATION_ERROR unless `to` is one bare address
 */
export async function queueMail<Name extends LetterName>(tx: Tx, { to, userId, letter, props }: NewMail<Name>): Promise<void> {
  assertOneAddress(to);
  const stored: StoredLetter = { site: await siteOfLetter(tx, userId, props), props };
  const { mailId } = await tx.mail.create({ data: { to, userId, letter, props: stored }, select: { mailId: true } });
  await enqueue(tx, "mail", { mailId });
}

/** Leads the person's letters of one kind to one address, where they have not gone out yet, to `link`: theirs works no longer. */
export async function replaceLink(tx: Tx, { to, userId, letter }: Pick<NewMail<LetterName>, "to" | "userId" | "letter">, link: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Mail" SET "props" = jsonb_set("props", '{props,link}', to_jsonb(${link}::text))
    WHERE "userId" = ${userId}::uuid AND "to" = ${to} AND "letter" = ${letter} AND "status" <> 'SENT'`;
}

/**
 * Puts a letter that was given up back into the queue. One that is queued or sent stays as it is.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `mail:retry`; NOT_FOUND
 */
export async function retryMail(viewer: Viewer, mailId: string): Promise<void> {
  authorize(viewer, "mail:retry");
  if (!isUuid(mailId)) throw mailNotFound();
  await db.$transaction(async (tx) => {
    const { count } = await tx.mail.updateMany({ where: { mailId, status: "FAILED" }, data: { status: "QUEUED" } });
    if (count === 1) await enqueue(tx, "mail", { mailId });
    else if (!(await tx.mail.findUnique({ where: { mailId }, select: { mailId: true } }))) throw mailNotFound();
  });
}

/**
 * Gives queued letters that have no job a new one, as after a restored backup or a job lost at its very last attempt. Returns how many.
 * Run hourly, and for letters of any age at each start.
 */
export async function requeueStrandedMails({ olderThanMs = STRANDED_AFTER_MS }: { olderThanMs?: number } = {}): Promise<number> {
  const createdAt = { lt: new Date(Date.now() - olderThanMs) };
  let requeuedCount = 0;
  let after: string | undefined;
  do {
    const rows = await db.mail.findMany({
      where: { status: "QUEUED", createdAt, mailId: { gt: after } },
      select: { mailId: true },
      orderBy: { mailId: "asc" },
      take: STRANDED_PAGE_SIZE,
    });
    const stranded = await mailsWithoutJob(rows.map(({ mailId }) => mailId));
    for (const mailId of stranded) await db.$transaction((tx) => enqueue(tx, "mail", { mailId }));
    requeuedCount += stranded.length;
    after = rows.at(-1)?.mailId;
  } while (after);
  return requeuedCount;
}

/** Deletes letters that were written long ago, and sent or given up since. Returns how many. Run daily. */
export async function purgeOldMails(): Promise<number> {
  const { count } = await db.mail.deleteMany({ where: { status: { not: "QUEUED" }, createdAt: { lt: new Date(Date.now() - KEEP_DONE_DAYS * DAY_MS) } } });
  return count;
}

/** The answer for a letter that is not there. */
export function mailNotFound(): AppError {
  return new AppError("NOT_FOUND", "There is no such email. Old ones are deleted after a while.");
}

/**
 * Whom a letter speaks for, in which color, and in which language: the one that the person chose, else the site's. Before set-up, and without
 * `SITE_URL`, a letter's own link is all that says where the site is.
 */
export async function siteOfLetter(tx: Tx, userId: string | null, { link }: { link: string }): Promise<StoredLetter["site"]> {
  const settings = await tx.siteSettings.findUnique({ where: THE_SITE, select: { title: true, siteUrl: true, locale: true, accentColor: true } });
  const user = userId ? await tx.user.findUnique({ where: { userId }, select: { locale: true } }) : null;
  const url = env().SITE_URL ?? settings?.siteUrl ?? new URL(link).origin;
  return { title: settings?.title ?? DEFAULT_SITE_TITLE, url, locale: user?.locale ?? settings?.locale, accentColor: settings?.accentColor };
}
