import { z } from "zod";
import { livingSessions, type Viewer } from "#lib/auth";
import { db, type Tx } from "#lib/db";
import { AppError } from "#lib/errors";
import { isUuid } from "#lib/ids";
import { createToken } from "#lib/tokens";
import type { Visit } from "#lib/visit";
import { requireViewer } from "./permissions.ts";

/** More than anybody looks through; a program that signs in for each call leaves many. */
const MAX_LISTED = 100;

/** A sign-in as its owner sees it in a list. */
export const sessionJson = z
  .object({ sessionId: z.uuid(), createdAt: z.iso.datetime(), lastSeenAt: z.iso.datetime(), device: z.string(), isCurrent: z.boolean() })
  .meta({ id: "Session" });

/**
 * Ends the viewer's current session: its token is dead at once.
 * @throws AppError UNAUTHENTICATED
 */
export async function logOut(viewer: Viewer): Promise<void> {
  requireViewer(viewer);
  await db.session.deleteMany({ where: { sessionId: viewer.sessionId } });
}

/**
 * The viewer's living sessions, the one used last first; at most 100.
 * @throws AppError UNAUTHENTICATED
 */
export async function listSessions(viewer: Viewer) {
  requireViewer(viewer);
  const sessions = await db.session.findMany({
    where: { userId: viewer.userId, ...livingSessions() },
    select: { sessionId: true, createdAt: true, lastSeenAt: true, device: true },
    orderBy: [{ lastSeenAt: "desc" }, { sessionId: "desc" }],
    take: MAX_LISTED,
  });
  return sessions.map((session) => ({ ...session, isCurrent: session.sessionId === viewer.sessionId }));
}

/**
 * Ends one session of the viewer.
 * @throws AppError UNAUTHENTICATED, or SESSION_NOT_FOUND when it is not the viewer's
 */
export async function endSession(viewer: Viewer, sessionId: string): Promise<void> {
  requireViewer(viewer);
  const { count } = isUuid(sessionId) ? await db.session.deleteMany({ where: { sessionId, userId: viewer.userId } }) : { count: 0 };
  if (count === 0) throw new AppError("SESSION_NOT_FOUND", "You have no such session. It may have ended already.");
}

/** Starts a session for `userId` and returns its token, which is stored nowhere. */
export async function createSession(tx: Tx, userId: string, visit: Visit): Promise<string> {
  const { token, tokenHash } = createToken();
  await tx.session.create({ data: { userId, tokenHash, device: visit.device } });
  return token;
}

/**
 * Ends every session of the viewer but the current one; in `tx` where that belongs to something larger, as a new password does.
 * @throws AppError UNAUTHENTICATED
 */
export async function endOtherSessions(viewer: Viewer, tx: Tx = db): Promise<void> {
  requireViewer(viewer);
  await tx.session.deleteMany({ where: { userId: viewer.userId, sessionId: { not: viewer.sessionId } } });
}

/** Deletes sessions that nobody can use any more. Run daily. */
export async function purgeSessions(): Promise<void> {
  await db.session.deleteMany({ where: { NOT: livingSessions() } });
}
