import { timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Viewer } from "#lib/auth";
import { hexColor, hexColorJson } from "#lib/colors";
import { db } from "#lib/db";
import { env } from "#lib/env";
import { AppError } from "#lib/errors";
import { boundedText } from "#lib/text";
import { hashToken } from "#lib/tokens";
import type { Visit } from "#lib/visit";
import type { Prisma } from "#prisma/generated/client";
import { authorize } from "./permissions.ts";

/** What a site is called until its owner says otherwise. */
export const DEFAULT_SITE_TITLE = "Feedback";

export const siteTitle = boundedText({ min: 1, max: 100 });

/** What `PATCH /settings/site` takes. */
export const settingsChange = z.object({
  title: siteTitle.optional(),
  description: boundedText({ max: 500 }).optional(),
  allowSignup: z.boolean("must be true or false").optional(),
  accentColor: hexColor.optional(),
  requireConfirmedEmail: z.boolean("must be true or false").optional(),
  blockCommonPasswords: z.boolean("must be true or false").optional(),
});

const publicSettings = z.object({
  title: z.string(),
  description: z.string(),
  allowSignup: z.boolean(),
  accentColor: hexColorJson,
  logo: z.string().nullable(),
});

/** What public pages show, as `GET /settings/site` answers it. */
export const publicSettingsJson = publicSettings.meta({ id: "PublicSettings" });

/** All that an owner can change, as `PATCH /settings/site` answers it. */
export const settingsJson = publicSettings.extend({ requireConfirmedEmail: z.boolean(), blockCommonPasswords: z.boolean() }).meta({ id: "Settings" });

const publicFields = { title: true, description: true, allowSignup: true, accentColor: true } satisfies Prisma.SiteSettingsSelect;
const allFields = { ...publicFields, requireConfirmedEmail: true, blockCommonPasswords: true } satisfies Prisma.SiteSettingsSelect;

/** Picks the one row of settings. */
export const THE_SITE = { settingsId: 1 };
const BEFORE_SETUP = { title: DEFAULT_SITE_TITLE, description: "", allowSignup: true, accentColor: "4f46e5" };

/** What public pages show; defaults before set-up. */
export async function getPublicSettings(): Promise<z.infer<typeof publicSettings>> {
  const settings = await db.siteSettings.findUnique({ where: THE_SITE, select: publicFields });
  return { ...(settings ?? BEFORE_SETUP), logo: null };
}

/**
 * All that an owner can change.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `settings:update`
 */
export async function getSettings(viewer: Viewer): Promise<z.infer<typeof settingsJson>> {
  authorize(viewer, "settings:update");
  return { ...(await db.siteSettings.findUniqueOrThrow({ where: THE_SITE, select: allFields })), logo: null };
}

/**
 * Changes the given settings and returns all of them.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `settings:update`
 * @throws ZodError if `input` is not a `settingsChange`
 */
export async function updateSettings(viewer: Viewer, input: unknown): Promise<z.infer<typeof settingsJson>> {
  authorize(viewer, "settings:update");
  const change = settingsChange.parse(input);
  return { ...(await db.siteSettings.update({ where: THE_SITE, data: change, select: allFields })), logo: null };
}

/** The rules for new accounts, as the owner set them. */
export async function getAccountRules(): Promise<{ allowSignup: boolean; blockCommonPasswords: boolean }> {
  const rules = await db.siteSettings.findUnique({ where: THE_SITE, select: { allowSignup: true, blockCommonPasswords: true } });
  return rules ?? { allowSignup: true, blockCommonPasswords: false };
}

/** The site's own public origin: `SITE_URL`, else what set-up stored, else (before set-up) the request's own. */
export async function siteUrl(visit: Visit): Promise<string> {
  const configured = env().SITE_URL;
  if (configured) return configured;
  const settings = await db.siteSettings.findUnique({ where: THE_SITE, select: { siteUrl: true } });
  return settings?.siteUrl ?? visit.ownOrigin;
}

/** The origin that mailed links lead to. A caller can choose only among the site and `ALLOWED_ORIGINS`, so that nobody has us mail a link to a foreign host. */
export async function linkOrigin(visit: Visit): Promise<string> {
  const isAllowed = visit.callerOrigin !== null && env().ALLOWED_ORIGINS.includes(visit.callerOrigin);
  return isAllowed && visit.callerOrigin ? visit.callerOrigin : siteUrl(visit);
}

/**
 * Goes on only with the token that `SETUP_TOKEN` asks for, if it is set.
 * @throws AppError FORBIDDEN
 */
export function checkSetupToken(token: unknown): void {
  const expected = env().SETUP_TOKEN;
  // Hashes are of one length, as the comparison wants, and tell nothing by where they differ.
  const isRight = !expected || (typeof token === "string" && timingSafeEqual(hashToken(token), hashToken(expected)));
  if (!isRight) throw new AppError("FORBIDDEN", "Set-up asks for the token in the SETUP_TOKEN setting.", { field: "setupToken" });
}
