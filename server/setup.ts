import { z } from "zod";
import { db, isDuplicate } from "#lib/db";
import { env } from "#lib/env";
import { AppError } from "#lib/errors";
import { assertMailConfigured } from "#lib/mail";
import { boundedText } from "#lib/text";
import type { Visit } from "#lib/visit";
import { checkSetupToken, DEFAULT_SITE_TITLE } from "./settings.ts";
import { createAccount, newCredentials, newProfile, type SignedInUser } from "./users.ts";

/** What set-up takes beside the credentials. */
export const newSite = newProfile.extend({ siteTitle: boundedText({ max: 100 }).optional(), setupToken: z.string("must be text").optional() });

/** Whether set-up was done, which is to say: whether the site has its one row of settings. */
export async function isSetUp(): Promise<boolean> {
  return (await db.siteSettings.findUnique({ where: { settingsId: 1 }, select: { settingsId: true } })) !== null;
}

/**
 * Makes the owner's account and the site's settings. Of any number of set-ups at once exactly one wins: the settings' one row decides.
 * @throws AppError MAIL_CONFIG_MISSING, EMAIL_INVALID, PASSWORD_…, SETUP_COMPLETED, FORBIDDEN (SETUP_TOKEN) or USER_EXISTS, looked at in this order
 * @throws ZodError if `siteTitle` or `name` is too long
 */
export async function setUp(visit: Visit, input: unknown): Promise<SignedInUser> {
  assertMailConfigured();
  const credentials = newCredentials.parse(input);
  await refuseSecondSetup();
  const { siteTitle, name, setupToken } = newSite.parse(input);
  checkSetupToken(setupToken);
  const site = env().SITE_URL ?? visit.callerOrigin ?? visit.ownOrigin;
  const settings = { settingsId: 1, title: siteTitle || DEFAULT_SITE_TITLE, siteUrl: site };
  try {
    return await createAccount(
      { ...credentials, name, role: "OWNER" },
      { visit, site, linksTo: site, recheck: refuseSecondSetup, within: async (tx) => void (await tx.siteSettings.create({ data: settings })) },
    );
  } catch (error) {
    if (isDuplicate(error, "settingsId")) throw setupCompleted();
    throw error;
  }
}

async function refuseSecondSetup(): Promise<void> {
  if (await isSetUp()) throw setupCompleted();
}

function setupCompleted(): AppError {
  return new AppError("SETUP_COMPLETED", "This site is already set up. Sign in instead.");
}
