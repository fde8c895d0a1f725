import { v7 as createUuid } from "uuid";
import { z } from "zod";
import type { Viewer } from "#lib/auth";
import { db, isDuplicate, type Tx } from "#lib/db";
import { env } from "#lib/env";
import { AppError, hasCode } from "#lib/errors";
import { LOCALES } from "#lib/locales";
import { assertMailConfigured } from "#lib/mail";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "#lib/password-strength";
import { hashPassword, verifyPassword, withHashingSlot } from "#lib/passwords";
import { widePlaceOf } from "#lib/rate-limits";
import { searchTextOf } from "#lib/search";
import { boundedText } from "#lib/text";
import type { Visit } from "#lib/visit";
import type { Prisma, Role } from "#prisma/generated/client";
import { refuseCommonPassword } from "./common-passwords.ts";
import { emailAddress, newPassword } from "./credentials.ts";
import { queueConfirmation } from "./email-confirmation.ts";
import { countedAsPasswordChange, countSignup, mayWriteUnasked } from "./limits.ts";
import { queueMail } from "./mails.ts";
import { requireViewer } from "./permissions.ts";
import { createSession, endOtherSessions } from "./sessions.ts";
import { getAccountRules, linkOrigin, siteUrl } from "./settings.ts";
import { createUsername, nameFromUsername } from "./usernames.ts";

/** As long as its column. */
const MAX_SEARCH_TEXT = 800;

/** The address and password that every new account needs; read before anything else, for callers rely on the order of errors. */
export const newCredentials = z.object({ email: emailAddress, password: newPassword });

export const MAX_DISPLAY_NAME = 60;

/** A name as somebody must give it who changes theirs, or sets the site up by the wizard. */
export const displayName = boundedText({ min: 1, max: MAX_DISPLAY_NAME, emptyProblem: "noName" });

/** What a new account may say besides. Without a name it gets one made from nothing private. */
export const newProfile = z.object({
  name: boundedText({ max: MAX_DISPLAY_NAME }).optional(),
  /** The language to write to them in. */
  locale: z.enum(LOCALES, `must be one of ${LOCALES.join(", ")}`).optional(),
});

/** What `PATCH /users/me` takes. */
export const userChange = z.object({
  name: displayName.optional(),
  password: z
    .object({ current: z.string("must be text"), new: newPassword }, "must be an object with current and new")
    .optional()
    .meta({ description: `Has current, the password until now, and new, of ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.` }),
});

const user = z.object({ userId: z.uuid(), name: z.string(), username: z.string(), email: z.string(), avatar: z.url() });

/** A person just signed in, as set-up, sign-up and login answer it. */
export const signedInUserJson = user.extend({ authToken: z.string() }).meta({ id: "User" });

/** The signed-in person's own account, as `/users/me` answers it. */
export const ownUserJson = user.extend({ isVerified: z.boolean() }).meta({ id: "OwnUser" });

/** What leaves the server of an account; only its owner sees it. */
export const userFields = { userId: true, name: true, username: true, email: true, avatarId: true } satisfies Prisma.UserSelect;
type UserRow = Prisma.UserGetPayload<{ select: typeof userFields }>;

/** The signed-in person's own account. `avatarId` names the picture they gave, if any. */
export type OwnUser = UserRow & { isVerified: boolean };

/** A new or signed-in account: what the API answers as `user`. */
export type SignedInUser = z.infer<typeof signedInUserJson>;

type NewAccount = z.infer<typeof newCredentials> & z.infer<typeof newProfile> & { role: Role };

type AccountPlace = {
  visit: Visit;
  /** The site's public origin, below which the avatar is. */
  site: string;
  /** The origin that the confirming letter links to. */
  linksTo: string;
  /** Looked at again when hashing begins: throws where a crowd's first one has made the account needless. */
  recheck?: () => Promise<void>;
  /** Run in the same transaction, before and after the account is made. */
  before?: (tx: Tx) => Promise<void>;
  after?: (tx: Tx, userId: string) => Promise<void>;
};

/**
 * The signed-in person's own account.
 * @throws AppError UNAUTHENTICATED
 */
export async function getOwnUser(viewer: Viewer): Promise<OwnUser> {
  requireViewer(viewer);
  return findOwnUser(db, viewer.userId);
}

/** The signed-in person's own account, as the API answers it: the picture as a whole address, below `site`. */
export function toOwnUserJson(site: string, { avatarId, ...user }: OwnUser): z.infer<typeof ownUserJson> {
  return { ...user, avatar: avatarUrl(site, user.userId, avatarId) };
}

/**
 * Makes an account for a member and signs it in. The letter that confirms the address is queued with it.
 * @throws AppError MAIL_CONFIG_MISSING, EMAIL_INVALID, PASSWORD_…, PASSWORD_TOO_COMMON, SIGNUP_NOT_ALLOWED, then RATE_LIMITED or USER_EXISTS, looked at in this order
 * @throws ZodError before those two if `name` is too long or `locale` unknown
 */
export async function signUp(visit: Visit, input: unknown): Promise<SignedInUser> {
  assertMailConfigured();
  const credentials = newCredentials.parse(input);
  const { allowSignup, blockCommonPasswords } = await getAccountRules();
  if (blockCommonPasswords) refuseCommonPassword(credentials.password);
  if (!allowSignup) throw new AppError("SIGNUP_NOT_ALLOWED", "This site takes no new accounts at the moment.");
  const account = { ...credentials, ...newProfile.parse(input), role: "MEMBER" } as const;
  const takeBack = await countSignup(visit);
  const signingUp = firstWith(account.email, async () => createAccount(account, { visit, site: await siteUrl(visit), linksTo: await linkOrigin(visit) }));
  return signingUp.catch(async (error: unknown) => {
    if (!hasCode(error, "USER_EXISTS")) await takeBack();
    throw error;
  });
}

/**
 * Changes the given facts of the viewer's own account. A new password ends every other session, and a letter tells of it.
 * @throws AppError UNAUTHENTICATED, PASSWORD_…, RATE_LIMITED, or INVALID_CREDENTIALS (403) when `password.current` is wrong
 * @throws ZodError if `input` is not a `userChange`
 */
export async function updateOwnUser(viewer: Viewer, visit: Visit, input: unknown): Promise<OwnUser> {
  requireViewer(viewer);
  const { name, password } = userChange.parse(input);
  if (password && (await getAccountRules()).blockCommonPasswords) refuseCommonPassword(password.new);
  const hashes = password && (await rehash(viewer.userId, visit, password));
  const linksTo = await linkOrigin(visit);
  const isTold = hashes !== undefined && env().MAIL !== "none" && (await mayWriteUnasked("password-changed", { ...viewer, email: hashes.email }));
  return db.$transaction(async (tx) => {
    const { count } = await tx.user.updateMany({ where: { userId: viewer.userId, passwordHash: hashes?.current }, data: { name, passwordHash: hashes?.new } });
    // A password changed while this one was being hashed has ended this session: what it asked for comes too late.
    if (hashes && count === 0) throw wrongCurrentPassword();
    if (name !== undefined) await refreshSearchText(tx, viewer.userId);
    if (hashes) await endOtherSessions(viewer, tx);
    if (hashes) await afterPasswordChange(tx, viewer.userId, { linksTo, isTold });
    return findOwnUser(tx, viewer.userId);
  });
}

/**
 * Makes an account, its first session and the letter that confirms its address, all or nothing.
 * @throws AppError USER_EXISTS when the address has an account already, or what `recheck`, `before` or `after` throws
 */
export async function createAccount(account: NewAccount, place: AccountPlace): Promise<SignedInUser> {
  const { visit, site, linksTo, recheck, before, after } = place;
  const userId = createUuid();
  const passwordHash = await withHashingSlot(widePlaceOf(visit.ip), async () => {
    await recheck?.();
    // Looked at when the slot opens, for it may have been taken while we waited.
    if (await db.user.findUnique({ where: { email: account.email }, select: { userId: true } })) throw userExists();
    return hashPassword(account.password, userId);
  });
  const username = createUsername();
  const name = account.name || nameFromUsername(username);
  try {
    return await db.$transaction(async (tx) => {
      await before?.(tx);
      const identity = { email: account.email, name, username };
      const row = await tx.user.create({
        data: { userId, ...identity, searchText: personSearchText(identity), passwordHash, role: account.role, locale: account.locale },
        select: userFields,
      });
      const authToken = await createSession(tx, userId, visit);
      await queueConfirmation(tx, row, linksTo);
      await after?.(tx, userId);
      return toSignedInUser(row, authToken, site);
    });
  } catch (error) {
    if (isDuplicate(error, "email")) throw userExists();
    // Somebody has these words and digits already: the next ones are as good.
    if (isDuplicate(error, "username")) return createAccount(account, place);
    throw error;
  }
}

/** What a changed password brings with it, in the same transaction: links for a new one end, and where `isTold`, which is for sites that can send mail, a letter tells the person, should it not have been them. */
export async function afterPasswordChange(tx: Tx, userId: string, { linksTo, isTold }: { linksTo: string; isTold: boolean }): Promise<void> {
  await tx.mailToken.deleteMany({ where: { userId, purpose: "RESET_PASSWORD" } });
  if (!isTold) return;
  const { email, name } = await tx.user.findUniqueOrThrow({ where: { userId }, select: { email: true, name: true } });
  await queueMail(tx, { to: email, userId, letter: "password-changed", props: { name, link: `${linksTo}/reset-password` } });
}

async function findOwnUser(tx: Tx, userId: string): Promise<OwnUser> {
  const { verifiedAt, ...row } = await tx.user.findUniqueOrThrow({ where: { userId }, select: { ...userFields, verifiedAt: true } });
  return { ...row, isVerified: verifiedAt !== null };
}

/** Keeps what search looks through in step with whatever of a person was just changed, in the same transaction. */
async function refreshSearchText(tx: Tx, userId: string): Promise<void> {
  const identity = await tx.user.findUniqueOrThrow({ where: { userId }, select: { name: true, username: true, email: true } });
  await tx.user.update({ where: { userId }, data: { searchText: personSearchText(identity) } });
}

/** What the search for people looks through. */
export function personSearchText({ name, username, email }: { name: string; username: string; email: string }): string {
  return searchTextOf(`${name} ${username} ${email}`, MAX_SEARCH_TEXT);
}

/** What the API answers as `user` after signing in. */
export function toSignedInUser(row: UserRow, authToken: string, site: string): SignedInUser {
  const { avatarId, ...fields } = row;
  return { authToken, ...fields, avatar: avatarUrl(site, row.userId, avatarId) };
}

/** Another picture is another address, so that who shows it shows the new one at once. */
function avatarUrl(site: string, userId: string, avatarId: string | null): string {
  return `${site}/avatars/${userId}${avatarId ? `?v=${avatarId}` : ""}`;
}

/** Sign-ups under way in this process, by address. */
const underWay = new Map<string, Promise<SignedInUser>>();

/** Of a crowd with one address the first goes on and the others wait for it: they cost no query, no slot and no hash. The unique index decides all the same. */
async function firstWith(address: string, signUpOne: () => Promise<SignedInUser>): Promise<SignedInUser> {
  for (let first = underWay.get(address); first; first = underWay.get(address)) {
    const isTaken = await first.then(
      () => true,
      () => false,
    );
    if (isTaken) throw userExists();
  }
  const attempt = signUpOne().finally(() => underWay.delete(address));
  underWay.set(address, attempt);
  return attempt;
}

/** The stored hash that `password.current` was compared with, and the new one. */
async function rehash(userId: string, visit: Visit, password: { current: string; new: string }): Promise<{ current: string; new: string; email: string }> {
  const account = await db.user.findUniqueOrThrow({ where: { userId }, select: { userId: true, email: true, passwordHash: true } });
  return countedAsPasswordChange(visit, account, () =>
    withHashingSlot(widePlaceOf(visit.ip), async () => {
      const isCurrent = await verifyPassword(password.current, account);
      if (!isCurrent) throw wrongCurrentPassword();
      return { current: account.passwordHash, new: await hashPassword(password.new, userId), email: account.email };
    }),
  );
}

function wrongCurrentPassword(): AppError {
  return new AppError("INVALID_CREDENTIALS", "The current password is not right.", { status: 403, field: "password.current" });
}

function userExists(): AppError {
  return new AppError("USER_EXISTS", "There is already an account with this email address. Sign in instead.", { field: "email" });
}
