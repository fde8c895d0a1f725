import { timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { db, isDuplicate } from "#lib/db";
import { env } from "#lib/env";
import { AppError } from "#lib/errors";
import { assertMailConfigured } from "#lib/mail";
import { boundedText } from "#lib/text";
import { hashToken } from "#lib/tokens";
import type { Visit } from "#lib/visit";
import { insertBoard, newBoard } from "./boards.ts";
import { refuseCommonPassword } from "./common-passwords.ts";
import { countSetup } from "./limits.ts";
import { DEFAULT_SITE_TITLE, getAccountRules, MAX_SITE_TITLE, settingsChange, THE_SITE } from "./settings.ts";
import { createAccount, newCredentials, newProfile, type SignedInUser } from "./users.ts";

/** What set-up takes beside the credentials. */
export const newSite = newProfile.extend({
  siteTitle: boundedText({ max: MAX_SITE_TITLE })
    .optional()
    .meta({ description: `Without it the site is called ${DEFAULT_SITE_TITLE}.` }),
  setupToken: z.string("must be text").optional().meta({ description: "Needed where the SETUP_TOKEN setting is set: the same." }),
  /** Refuses the commonest passwords from now on, the owner's own included. */
  blockCommonPasswords: settingsChange.shape.blockCommonPasswords,
  accentColor: settingsChange.shape.accentColor,
  locale: settingsChange.shape.locale,
  timeZone: settingsChange.shape.timeZone,
  /** Makes a first board of this name. */
  boardName: newBoard.shape.name.optional(),
  boardDescription: newBoard.shape.description.optional(),
  boardColor: newBoard.shape.color,
});

/** Whether set-up was done, which is to say: whether the site has its one row of settings. */
export async function isSetUp(): Promise<boolean> {
  return (await db.siteSettings.findUnique({ where: THE_SITE, select: { settingsId: true } })) !== null;
}

/**
 * Makes the owner's account, the site's settings and, if named, its first board: all of it or nothing. Of any number of set-ups at once exactly one wins: the settings' one row decides.
 * `isFromMachine`: who asks can run commands here, and needs neither a token nor to be limited.
 * @throws AppError, looked at in this order: MAIL_CONFIG_MISSING; EMAIL_INVALID; PASSWORD_MISSING, …_TOO_SHORT, …_TOO_LONG or …_TOO_COMMON; SETUP_COMPLETED;
 * VALIDATION_ERROR (as ZodError) for what is no `newSite`; RATE_LIMITED; FORBIDDEN (SETUP_TOKEN); USER_EXISTS
 */
export async function setUp(visit: Visit, input: unknown, { isFromMachine = false } = {}): Promise<SignedInUser> {
  assertMailConfigured();
  const credentials = newCredentials.parse(input);
  if (await refusesCommonPasswords(input)) refuseCommonPassword(credentials.password);
  await refuseSecondSetup();
  const { siteTitle, name, setupToken, blockCommonPasswords, accentColor, locale, timeZone, ...board } = newSite.parse(input);
  if (!isFromMachine) await refuseWithoutToken(visit, setupToken);
  const site = env().SITE_URL ?? visit.callerOrigin ?? visit.ownOrigin;
  const settings = { ...THE_SITE, title: siteTitle || DEFAULT_SITE_TITLE, siteUrl: site, blockCommonPasswords, accentColor, locale, timeZone };
  const firstBoard = board.boardName && newBoard.parse({ name: board.boardName, description: board.boardDescription, color: board.boardColor });
  try {
    return await createAccount(
      { ...credentials, name, role: "OWNER" },
      {
        visit,
        site,
        linksTo: site,
        recheck: refuseSecondSetup,
        before: async (tx) => void (await tx.siteSettings.create({ data: settings })),
        after: async (tx, userId) => void (firstBoard && (await insertBoard(tx, firstBoard, userId))),
      },
    );
  } catch (error) {
    if (isDuplicate(error, "settingsId")) throw setupCompleted();
    throw error;
  }
}

/** As the site says, or as the one that is to be made is asked to. */
async function refusesCommonPasswords(input: unknown): Promise<boolean> {
  if (await isSetUp()) return (await getAccountRules()).blockCommonPasswords;
  return (input as { blockCommonPasswords?: unknown }).blockCommonPasswords === true;
}

async function refuseSecondSetup(): Promise<void> {
  if (await isSetUp()) throw setupCompleted();
}

/** Goes on only with the token that `SETUP_TOKEN` asks for, if it is set. Past the limit, which counts where none is set, too, a guess is not looked at; `npm run setup` gets in beside those who guess. */
async function refuseWithoutToken(visit: Visit, token: unknown): Promise<void> {
  const takeBack = await countSetup(visit);
  const expected = env().SETUP_TOKEN;
  if (expected === undefined) return;
  // Hashes are of one length, as the comparison wants, and tell nothing by where they differ.
  const isRight = typeof token === "string" && timingSafeEqual(hashToken(token), hashToken(expected));
  if (!isRight) throw new AppError("FORBIDDEN", "Set-up asks for the token in the SETUP_TOKEN setting: send it as setupToken.", { field: "setupToken" });
  await takeBack();
}

function setupCompleted(): AppError {
  return new AppError("SETUP_COMPLETED", "This site is already set up. Sign in instead.");
}
