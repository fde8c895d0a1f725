import { z } from "zod";
import { DEFAULT_ACCENT } from "#lib/accent";
import type { Viewer } from "#lib/auth";
import { hexColor, hexColorJson } from "#lib/colors";
import { db, type Tx } from "#lib/db";
import { env } from "#lib/env";
import { DEFAULT_LOCALE, LOCALES } from "#lib/locales";
import { boundedText } from "#lib/text";
import type { Visit } from "#lib/visit";
import type { Prisma } from "#prisma/generated/client";
import { isEmail, normalizeEmail } from "./credentials.ts";
import { authorize } from "./permissions.ts";

/** What a site is called until its owner says otherwise. */
export const DEFAULT_SITE_TITLE = "Feedback";

export const MAX_SITE_TITLE = 100;
export const siteTitle = boundedText({ min: 1, max: MAX_SITE_TITLE, emptyProblem: "noSiteTitle" });

export const MAX_SITE_DESCRIPTION = 500;
export const MAX_ADDRESS = 500;

const webAddress = addressOrNone(isWebAddress, { error: "must be an address that begins with https:// or http://, or empty", problem: "webAddress" });

/** Where people reach the team. */
const contact = addressOrNone((value) => isWebAddress(value) || isEmail(normalizeEmail(value)), {
  error: "must be an email address, or an address that begins with https:// or http://, or empty",
  problem: "contact",
});

const timeZone = z.string("must be text").refine(isTimeZone, "must be the name of a time zone, such as Europe/Berlin");

/** Says of what a program can write that no answer holds it. */
export const WRITE_ONLY = { writeOnly: true, description: "The site's pages use it; the API does not return it." };

/** Whether members have to confirm their address before they take part. */
const confirmedEmailFirst = (message?: string) =>
  z.boolean(message).meta({ description: "Kept for when members can post, vote and comment; until then it changes nothing." });

/** What `PATCH /settings/site` takes. */
export const settingsChange = z.object({
  title: siteTitle.optional(),
  description: boundedText({ max: MAX_SITE_DESCRIPTION }).optional(),
  allowSignup: z.boolean("must be true or false").optional(),
  accentColor: hexColor.optional(),
  requireConfirmedEmail: confirmedEmailFirst("must be true or false").optional(),
  blockCommonPasswords: z.boolean("must be true or false").optional(),
  locale: z
    .enum(LOCALES, `must be one of ${LOCALES.join(", ")}`)
    .optional()
    .meta(WRITE_ONLY),
  timeZone: timeZone.optional().meta(WRITE_ONLY),
  contact: contact.optional().meta(WRITE_ONLY),
  imprintUrl: webAddress.optional().meta(WRITE_ONLY),
  privacyUrl: webAddress.optional().meta(WRITE_ONLY),
  showPoweredBy: z.boolean("must be true or false").optional().meta(WRITE_ONLY),
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

/** What an owner can change and a program can read, as `PATCH /settings/site` answers it. */
export const settingsJson = publicSettings.extend({ requireConfirmedEmail: confirmedEmailFirst(), blockCommonPasswords: z.boolean() }).meta({ id: "Settings" });

const siteFields = {
  title: true,
  description: true,
  allowSignup: true,
  accentColor: true,
  locale: true,
  timeZone: true,
  contact: true,
  imprintUrl: true,
  privacyUrl: true,
  showPoweredBy: true,
  logoId: true,
  siteUrl: true,
  publicBoardCount: true,
} satisfies Prisma.SiteSettingsSelect;
const allFields = { ...siteFields, requireConfirmedEmail: true, blockCommonPasswords: true } satisfies Prisma.SiteSettingsSelect;

/** What public pages show, and all else that an owner can change. `logo` is the path of the site's picture. */
export type Settings = ReturnType<typeof withLogo<Prisma.SiteSettingsGetPayload<{ select: typeof allFields }>>>;

/** What public pages show of the site. `siteUrl` is what set-up stored, null before. */
export type Site = Omit<Settings, "requireConfirmedEmail" | "blockCommonPasswords" | "siteUrl"> & { siteUrl: string | null; isSetUp: boolean };

declare global {
  /** What `getSite` read last, by whichever of the two copies of this code: the front server's, or the one in Next's bundle. */
  var heardLastSite: Site | undefined;
}

/** Picks the one row of settings. */
export const THE_SITE = { settingsId: 1 };
/** What pages show of a site that nobody has set up, or whose settings cannot be read. */
export const BEFORE_SETUP = {
  title: DEFAULT_SITE_TITLE,
  description: "",
  allowSignup: true,
  accentColor: DEFAULT_ACCENT,
  locale: DEFAULT_LOCALE as string,
  timeZone: "UTC",
  contact: "",
  imprintUrl: "",
  privacyUrl: "",
  showPoweredBy: true,
  logo: null,
  siteUrl: null,
  publicBoardCount: 0,
  isSetUp: false,
} satisfies Site;

/** What public pages show; defaults before set-up. */
export async function getSite(): Promise<Site> {
  const site = await db.siteSettings.findUnique({ where: THE_SITE, select: siteFields });
  if (!site) return BEFORE_SETUP;
  globalThis.heardLastSite = { ...withLogo(site), isSetUp: true };
  return globalThis.heardLastSite;
}

/** What this process read last of a site that is set up: an error page is the site's own, too. */
export function lastKnownSite(): Site | undefined {
  return globalThis.heardLastSite;
}

/**
 * All that an owner can change.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `settings:update`
 */
export async function getSettings(viewer: Viewer): Promise<Settings> {
  authorize(viewer, "settings:update");
  return withLogo(await db.siteSettings.findUniqueOrThrow({ where: THE_SITE, select: allFields }));
}

/**
 * Changes the given settings and returns all of them.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `settings:update`
 * @throws ZodError if `input` is not a `settingsChange`
 */
export async function updateSettings(viewer: Viewer, input: unknown): Promise<Settings> {
  authorize(viewer, "settings:update");
  const change = settingsChange.parse(input);
  return withLogo(await db.siteSettings.update({ where: THE_SITE, data: change, select: allFields }));
}

/**
 * Changes of the settings' row that read it first, and of boards' addresses, order and counters, come one after another: a free address
 * stays free. This lock comes before any other, so that nobody waits in a circle.
 */
export async function lockSite(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM "SiteSettings" WHERE "settingsId" = 1 FOR NO KEY UPDATE`;
}

/** What public pages show, as the API answers it: the logo as a whole address. */
export function toPublicSettingsJson(
  visit: Visit,
  { title, description, allowSignup, accentColor, logo, siteUrl }: Omit<Site, "isSetUp">,
): z.infer<typeof publicSettings> {
  return { title, description, allowSignup, accentColor, logo: logo && `${publicOrigin(siteUrl, visit)}${logo}` };
}

/** The settings that programs can read, as the API answers them. */
export function toSettingsJson(visit: Visit, settings: Settings): z.infer<typeof settingsJson> {
  const { requireConfirmedEmail, blockCommonPasswords } = settings;
  return { ...toPublicSettingsJson(visit, settings), requireConfirmedEmail, blockCommonPasswords };
}

/** The rules for new accounts, as the owner set them. */
export async function getAccountRules(): Promise<{ allowSignup: boolean; blockCommonPasswords: boolean }> {
  const rules = await db.siteSettings.findUnique({ where: THE_SITE, select: { allowSignup: true, blockCommonPasswords: true } });
  return rules ?? { allowSignup: true, blockCommonPasswords: false };
}

/** The site's own public origin: `SITE_URL`, else what set-up stored, else (before set-up) the request's own. */
export async function siteUrl(visit: Visit): Promise<string> {
  if (env().SITE_URL) return publicOrigin(null, visit);
  return publicOrigin((await findStoredUrl())?.siteUrl ?? null, visit);
}

/** Null before set-up. */
function findStoredUrl(): Promise<{ siteUrl: string | null } | null> {
  return db.siteSettings.findUnique({ where: THE_SITE, select: { siteUrl: true } });
}

/** `siteUrl` for who has read already what set-up stored. */
export function publicOrigin(stored: string | null, visit: Visit): string {
  return env().SITE_URL ?? stored ?? visit.ownOrigin;
}

/**
 * The origin that mailed links lead to. Once the site is set up a caller can choose, but only among the site and `ALLOWED_ORIGINS`, so that nobody has us
 * mail a link to a foreign host.
 */
export async function linkOrigin(visit: Visit): Promise<string> {
  const { callerOrigin } = visit;
  if (callerOrigin === null || !env().ALLOWED_ORIGINS.includes(callerOrigin)) return siteUrl(visit);
  const stored = await findStoredUrl();
  return stored ? callerOrigin : publicOrigin(null, visit);
}

function withLogo<Row extends { logoId: string | null }>({ logoId, ...row }: Row) {
  return { ...row, logo: logoId && `/images/${logoId}` };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Text that `isOne` takes for an address, or none. */
function addressOrNone(isOne: (value: string) => boolean, { error, problem }: { error: string; problem: string }) {
  return z
    .string("must be text")
    .trim()
    .refine((value) => value.length <= MAX_ADDRESS, { error: `must have at most ${MAX_ADDRESS} characters`, params: { problem: "tooLong", max: MAX_ADDRESS } })
    .refine((value) => value === "" || isOne(value), { error, params: { problem } });
}

/** A whole address of a page, with nothing in it that some reader takes for another host, or cannot store. */
function isWebAddress(value: string): boolean {
  if (!URL.canParse(value) || !value.isWellFormed() || /\p{Cc}/u.test(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && /^https?:\/\//i.test(value) && username === "" && password === "";
}
