import { z } from "zod";
import type { Viewer } from "#lib/auth";
import { db } from "#lib/db";
import { isLocale, LOCALES, type Locale } from "#lib/locales";
import type { Prisma } from "#prisma/generated/client";
import { requireViewer } from "./permissions.ts";

/** What a person can prefer. `locale` null: as the browser asks. */
const preferencesChange = z.object({
  locale: z
    .enum(LOCALES, `must be one of ${LOCALES.join(", ")}`)
    .nullable()
    .optional(),
  hasShortcuts: z.boolean("must be true or false").optional(),
});

const preferenceFields = { locale: true, hasShortcuts: true } satisfies Prisma.UserSelect;

/** How somebody likes the site. */
export type Preferences = { locale: Locale | null; hasShortcuts: boolean };

/**
 * How the viewer likes the site.
 * @throws AppError UNAUTHENTICATED
 */
export async function getPreferences(viewer: Viewer): Promise<Preferences> {
  requireViewer(viewer);
  return preferencesOf(viewer.userId);
}

/** How somebody likes the site, for signing them in. Nobody else learns it. */
export async function preferencesOf(userId: string): Promise<Preferences> {
  const { locale, hasShortcuts } = await db.user.findUniqueOrThrow({ where: { userId }, select: preferenceFields });
  return { locale: isLocale(locale) ? locale : null, hasShortcuts };
}

/**
 * Changes what is given. Letters to the viewer are written in `locale` from then on.
 * @throws AppError UNAUTHENTICATED
 * @throws ZodError if `input` is not a `preferencesChange`
 */
export async function updatePreferences(viewer: Viewer, input: unknown): Promise<void> {
  requireViewer(viewer);
  await db.user.update({ where: { userId: viewer.userId }, data: preferencesChange.parse(input) });
}
