import { z } from "zod";
import type { Viewer } from "#lib/auth";
import { db, type Tx } from "#lib/db";
import { AppError } from "#lib/errors";
import { assertMailConfigured } from "#lib/mail";
import { createToken } from "#lib/tokens";
import type { Visit } from "#lib/visit";
import { countLetter } from "./limits.ts";
import { findMailedLink, hoursFromNow, invalidLink } from "./mailed-links.ts";
import { type LetterState, letterState } from "./mails/letter-state.ts";
import { queueMail, replaceLink } from "./mails.ts";
import { requireViewer } from "./permissions.ts";
import { linkOrigin } from "./settings.ts";

/** How long a confirming link works. */
const VALID_HOURS = 24;

/** What `POST /auth/email/validate` takes. */
export const emailValidation = z.object({ token: z.string("must be text") });

const findLink = (token: string) => findMailedLink("CONFIRM_EMAIL", token);

type Recipient = { userId: string; email: string; name: string };

/** Queues the letter whose link shows that the address is the person's. Links sent before stop working; letters that have not gone out yet bring the new one. */
export async function queueConfirmation(tx: Tx, { userId, email, name }: Recipient, linksTo: string): Promise<void> {
  const { token, tokenHash } = createToken();
  await tx.mailToken.deleteMany({ where: { userId, purpose: "CONFIRM_EMAIL" } });
  await tx.mailToken.create({ data: { userId, email, purpose: "CONFIRM_EMAIL", tokenHash, expiresAt: hoursFromNow(VALID_HOURS) } });
  const letter = { to: email, userId, letter: "confirm-address" as const };
  const link = `${linksTo}/confirm-address?token=${token}`;
  await replaceLink(tx, letter, link);
  await queueMail(tx, { ...letter, props: { name, link, validHours: VALID_HOURS } });
}

/**
 * How the last confirming letter to the viewer's address stands; null where there is none, or none any more.
 * @throws AppError UNAUTHENTICATED
 */
export async function findConfirmationState(viewer: Viewer): Promise<LetterState | null> {
  requireViewer(viewer);
  const { userId } = viewer;
  const { email: to } = await db.user.findUniqueOrThrow({ where: { userId }, select: { email: true } });
  const mail = await db.mail.findFirst({
    where: { userId, to, letter: "confirm-address" },
    orderBy: { mailId: "desc" },
    select: { status: true, props: true },
  });
  return mail && letterState(mail);
}

/**
 * Sends the viewer the confirming letter again.
 * @throws AppError UNAUTHENTICATED, MAIL_CONFIG_MISSING, RATE_LIMITED or EMAIL_VERIFIED
 */
export async function resendConfirmation(viewer: Viewer, visit: Visit): Promise<void> {
  requireViewer(viewer);
  assertMailConfigured();
  const [linksTo, { email }] = await Promise.all([linkOrigin(visit), db.user.findUniqueOrThrow({ where: { userId: viewer.userId }, select: { email: true } })]);
  await countLetter(visit, email);
  await db.$transaction(async (tx) => {
    // One letter after another: of two at once neither would see, and end, the other's link.
    await tx.$executeRaw`SELECT 1 FROM "User" WHERE "userId" = ${viewer.userId}::uuid FOR NO KEY UPDATE`;
    const user = await tx.user.findUniqueOrThrow({ where: { userId: viewer.userId }, select: { userId: true, email: true, name: true, verifiedAt: true } });
    if (user.verifiedAt) throw new AppError("EMAIL_VERIFIED", "Your email address is already confirmed.");
    await queueConfirmation(tx, user, linksTo);
  });
}

/**
 * Confirms the address that a mailed link was sent to. The link's row is deleted: of any number of uses at once one succeeds.
 * @throws AppError INVALID_TOKEN (400) when the link was used, has expired, is of another kind, wrong or missing, a blocked person's, or led to a former address
 */
export async function confirmEmail(input: unknown): Promise<void> {
  const validation = emailValidation.safeParse(input);
  if (!validation.success) throw invalidLink();
  const { token } = validation.data;
  const link = await findLink(token);
  if (!link) throw invalidLink();
  const { mailTokenId, userId, email } = link;
  await db.$transaction(async (tx) => {
    // The account's row comes first, as in sending another letter: the two would wait for each other.
    const confirmed = await tx.user.updateMany({ where: { userId, email, blockedAt: null }, data: { verifiedAt: new Date() } });
    const used = await tx.mailToken.deleteMany({ where: { mailTokenId } });
    if (confirmed.count === 0 || used.count === 0) throw invalidLink();
  });
}

/** The address that a mailed link can still confirm; null where it can none. Changes nothing. */
export async function addressToConfirm(token: string): Promise<string | null> {
  return (await findLink(token))?.email ?? null;
}
