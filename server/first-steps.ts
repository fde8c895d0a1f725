import type { Viewer } from "#lib/auth";
import { db } from "#lib/db";
import { lettersGoOut } from "#lib/mail";
import { authorize } from "./permissions.ts";
import { THE_SITE } from "./settings.ts";

/** What every new site needs, in the order in which it is best done. */
export const FIRST_STEPS = ["board", "description", "address", "mail", "people"] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/**
 * Which of the first steps are done, as the site itself shows, and whether somebody put the list away; null once all of them are.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `settings:update`
 */
export async function getFirstSteps(viewer: Viewer): Promise<{ steps: Record<FirstStep, boolean>; isHidden: boolean } | null> {
  authorize(viewer, "settings:update");
  const settings = await db.siteSettings.findUniqueOrThrow({ where: THE_SITE, select: { description: true, firstStepsHiddenAt: true } });
  const [board, member] = await Promise.all([
    db.board.findFirst({ where: { deletedAt: null }, select: { boardId: true } }),
    // People that a demo made follow nobody's invitation.
    db.user.findFirst({ where: { userId: { not: viewer.userId }, isDemo: false }, select: { userId: true } }),
  ]);
  const steps = {
    board: board !== null,
    description: settings.description !== "",
    address: viewer.isVerified,
    mail: lettersGoOut(),
    people: member !== null,
  };
  return FIRST_STEPS.every((step) => steps[step]) ? null : { steps, isHidden: settings.firstStepsHiddenAt !== null };
}

/**
 * Puts the list of first steps away, for every owner, until somebody brings it back.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `settings:update`
 */
export async function hideFirstSteps(viewer: Viewer): Promise<void> {
  authorize(viewer, "settings:update");
  await db.siteSettings.update({ where: THE_SITE, data: { firstStepsHiddenAt: new Date() } });
}

/**
 * Brings the list of first steps back, for every owner, as long as one of them is left to do.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `settings:update`
 */
export async function showFirstSteps(viewer: Viewer): Promise<void> {
  authorize(viewer, "settings:update");
  await db.siteSettings.update({ where: THE_SITE, data: { firstStepsHiddenAt: null } });
}
