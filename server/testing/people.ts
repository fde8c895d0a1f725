import type { Viewer } from "#lib/auth";
import { db } from "#lib/db";
import { createToken } from "#lib/tokens";
import type { Visit } from "#lib/visit";
import type { Prisma, Role } from "#prisma/generated/client";

/** The password of everybody that `anOwner` and `aMember` make. */
export const PASSWORD = "correct horse battery staple";
// bcrypt at cost 4, because these tests are about other things than how long hashing takes.
const PASSWORD_HASH = "$2b$04$PLOVR6RhNA2.AAlZB74h.uGce1Rb5BxzlgJfqEhAYPORC8UnbN.tS";

/** A person with an account, signed in by `token`. */
export type Person = { userId: string; email: string; token: string; viewer: NonNullable<Viewer> };

let personCount = 0;

/** A request's circumstances: from loopback, under http://localhost:3000, called by no other site. */
export function aVisit(facts: Partial<Visit> = {}): Visit {
  return { ip: "127.0.0.1", device: "Vitest", ownOrigin: "http://localhost:3000", callerOrigin: null, deviceToken: null, ...facts };
}

/** The row that says that set-up was done. */
export async function aSite(settings: Partial<Prisma.SiteSettingsCreateInput> = {}): Promise<void> {
  await db.siteSettings.create({ data: { title: "Nimbus", siteUrl: "https://feedback.example.com", ...settings } });
}

/** An owner, signed in. The site's settings are a row of their own: `aSite`. */
export function anOwner(facts: Partial<Prisma.UserCreateInput> = {}): Promise<Person> {
  return aPerson("OWNER", facts);
}

/** A member, signed in. */
export function aMember(facts: Partial<Prisma.UserCreateInput> = {}): Promise<Person> {
  return aPerson("MEMBER", facts);
}

/** One more session of somebody, begun and last used at the given times. */
export async function aSession(userId: string, times: { createdAt?: Date; lastSeenAt?: Date } = {}): Promise<{ sessionId: string; token: string }> {
  const { token, tokenHash } = createToken();
  const { sessionId } = await db.session.create({ data: { userId, tokenHash, device: "Vitest", ...times }, select: { sessionId: true } });
  return { sessionId, token };
}

async function aPerson(role: Role, facts: Partial<Prisma.UserCreateInput>): Promise<Person> {
  personCount += 1;
  const names = { email: `person-${personCount}@example.org`, name: "Ada", username: `amber-otter-${personCount}` };
  const { userId, email, verifiedAt } = await db.user.create({ data: { ...names, passwordHash: PASSWORD_HASH, role, ...facts } });
  const { sessionId, token } = await aSession(userId);
  return { userId, email, token, viewer: { userId, sessionId, role, isVerified: verifiedAt !== null } };
}
