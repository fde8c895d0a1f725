import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { decode, encode } from "next-auth/jwt";
import { Prisma, type Role } from "#prisma/generated/client";
import { DAY_MS } from "./days.ts";
import { queryPrepared } from "./db/prepared.ts";
import { db } from "./db.ts";
import { env } from "./env.ts";
import { AppError } from "./errors.ts";
import { log } from "./log.ts";
import { authSecret } from "./secrets.ts";
import { hashToken } from "./tokens.ts";
import { describeFailure } from "./validation.ts";
import { DEVICE_COOKIE, SESSION_COOKIE, type Visit } from "./visit.ts";

/** Who is asking: a signed-in person, or null for anyone. */
export type Viewer = { userId: string; sessionId: string; role: Role; isVerified: boolean } | null;

/** A session ends after 30 days without use and 90 days in all. Programs rely on it. */
export const SESSION_IDLE_MS = 30 * DAY_MS;
export const SESSION_MAX_MS = 90 * DAY_MS;
// Reads must stay reads: "last seen" is told to the minute, not to the millisecond.
const LAST_SEEN_STEP_MS = 60_000;
const MAX_TOKEN_LENGTH = 200;
const DEVICE_ID_BYTES = 16;
const DEVICE_MAX_S = (365 * DAY_MS) / 1000;

/** The session cookie of the site, after the scheme of its address: over plain http a browser refuses the `__Host-` prefix and `Secure`. */
export function sessionCookie({ ownOrigin }: Pick<Visit, "ownOrigin">) {
  const secure = (env().SITE_URL ?? ownOrigin).startsWith("https:");
  return {
    name: secure ? SESSION_COOKIE.secure : SESSION_COOKIE.plain,
    options: { httpOnly: true, secure, sameSite: "lax", path: "/", maxAge: SESSION_MAX_MS / 1000 } as const,
  };
}

/** The cookie that lets a browser which has signed in be known again, so that guesses at its person's password from elsewhere do not keep it out. */
export function deviceCookie(visit: Pick<Visit, "ownOrigin">) {
  const { secure } = sessionCookie(visit).options;
  return {
    name: secure ? DEVICE_COOKIE.secure : DEVICE_COOKIE.plain,
    options: { httpOnly: true, secure, sameSite: "lax", path: "/", maxAge: DEVICE_MAX_S } as const,
  };
}

/** The value of that cookie for a browser in which `email` has just signed in: a random id, and proof that it is from here and of this password's time. */
export async function sealDevice(email: string): Promise<string> {
  const deviceId = randomBytes(DEVICE_ID_BYTES).toString("base64url");
  return `${deviceId}.${await deviceProof(deviceId, email)}`;
}

/** The id of the browser, if `email` has signed in with it before, by the password that it still has. */
export async function knownDevice({ deviceToken }: Pick<Visit, "deviceToken">, email: string): Promise<string | null> {
  const [deviceId = "", proof = ""] = deviceToken?.split(".") ?? [];
  if (deviceId === "" || deviceId.length > MAX_TOKEN_LENGTH) return null;
  const [given, expected] = [hashToken(proof), hashToken(await deviceProof(deviceId, email))];
  return timingSafeEqual(given, expected) ? deviceId : null;
}

async function deviceProof(deviceId: string, email: string): Promise<string> {
  // A new password is often given because somebody else had the old one: the browsers that they signed in with are strange again.
  const account = await db.user.findUnique({ where: { email }, select: { passwordHash: true } });
  return createHmac("sha256", await authSecret())
    .update(`device ${deviceId} ${email} ${account?.passwordHash ?? ""}`)
    .digest("base64url");
}

/** The sealed value of a session cookie. It carries nothing but the token, which is looked up on every request. */
export async function sealSessionToken(token: string): Promise<string> {
  return encode({ token: { token }, secret: await authSecret(), maxAge: SESSION_MAX_MS / 1000 });
}

/** Picks the sessions that have not ended by themselves. */
export function livingSessions() {
  const now = Date.now();
  return { lastSeenAt: { gt: new Date(now - SESSION_IDLE_MS) }, createdAt: { gt: new Date(now - SESSION_MAX_MS) } };
}

/** The person whose session `token` belongs to; null when it is wrong, expired, ended, or its owner is blocked. */
export async function findViewer(token: string | null): Promise<Viewer> {
  if (!token || token.length > MAX_TOKEN_LENGTH) return null;
  const { lastSeenAt: seen, createdAt: created } = livingSessions();
  // Every request of somebody signed in begins with it.
  const [session] = await queryPrepared<NonNullable<Viewer> & { lastSeenAt: Date }>(Prisma.sql`
    SELECT "userId", "sessionId", "role"::text AS "role", "verifiedAt" IS NOT NULL AS "isVerified", "lastSeenAt"
    FROM "Session" JOIN "User" USING ("userId")
    WHERE "tokenHash" = ${hashToken(token)} AND "lastSeenAt" > ${seen.gt} AND "Session"."createdAt" > ${created.gt} AND "blockedAt" IS NULL`);
  if (!session) return null;
  const { lastSeenAt, ...viewer } = session;
  if (Date.now() - lastSeenAt.getTime() > LAST_SEEN_STEP_MS) noteLastSeen(viewer.sessionId);
  return viewer;
}

/**
 * The person behind an `Authorization` header.
 * @throws AppError INVALID_TOKEN when it is not `Bearer` with the token of a living session
 */
export async function viewerOfAuthorization(header: string): Promise<Viewer> {
  const [, token] = /^bearer +(\S+) *$/i.exec(header) ?? [];
  const viewer = await findViewer(token ?? null);
  if (!viewer) throw new AppError("INVALID_TOKEN", "The token is wrong, expired or revoked. Sign in again for a new one.");
  return viewer;
}

/** The person behind the value of a browser's session cookie: null (anyone) when the session is over or the cookie forged. */
export async function viewerOfCookie(sealed: string): Promise<Viewer> {
  return findViewer(await unsealSessionToken(sealed));
}

async function unsealSessionToken(sealed: string): Promise<string | null> {
  const secret = await authSecret();
  // next-auth throws for whatever it did not seal itself; the database was asked before, so nothing else can throw here.
  const payload = await decode({ token: sealed, secret }).catch(() => null);
  return typeof payload?.token === "string" ? payload.token : null;
}

function noteLastSeen(sessionId: string): void {
  db.session
    .updateMany({ where: { sessionId }, data: { lastSeenAt: new Date() } })
    .catch((error: unknown) => log.warn({ reason: describeFailure(error) }, "could not note when a session was last seen"));
}
