import { z } from "zod";
import { livingSessions, type Viewer } from "#lib/auth";
import { db, type Tx } from "#lib/db";
import { type Device, readDevice } from "#lib/devices";
import { AppError } from "#lib/errors";
import { isUuid } from "#lib/ids";
import { likePattern, typedQuery, wordsOf } from "#lib/search";
import { searchQuery } from "#lib/search-query";
import type { Prisma } from "#prisma/generated/client";
import { authorize } from "./permissions.ts";

const PAGE_SIZE = 25;
const BATCH_SIZE = 500;
/** The newest sessions that a person's page lists; a program that signs in anew for each call leaves many. */
const SESSIONS_SHOWN = 50;

/** Which people a list can be of. */
export const PEOPLE = ["all", "blocked", "unconfirmed"] as const;

/** The query of `listPeople`: `q`, cut where it is longer than anybody searches for, is looked for in names and addresses, `after` is the last userId of the page before. */
export const peopleQuery = z.object({
  q: searchQuery(),
  show: z.enum(PEOPLE, `must be one of ${PEOPLE.join(", ")}`).default("all"),
  after: z.uuid("must be the id of a person").optional(),
});

const personFields = {
  userId: true,
  name: true,
  username: true,
  email: true,
  avatarId: true,
  role: true,
  verifiedAt: true,
  blockedAt: true,
  createdAt: true,
} as const;

type PersonRow = Prisma.UserGetPayload<{ select: typeof personFields }>;

/** Somebody with an account, as who runs the site sees them. `lastSeenAt` is null for who is signed in nowhere. */
export type Person = PersonRow & { lastSeenAt: Date | null; sessionCount: number };

/** One sign-in of somebody. `isCurrent`: it is the one that asks. */
export type PersonSession = { sessionId: string; createdAt: Date; lastSeenAt: Date; device: Device; isCurrent: boolean };

/** The same person with all that their own page shows; posts of a deleted board count no longer. `isViewer`: it is the one who asks. */
export type PersonInFull = Person & { sessions: PersonSession[]; postCount: number; isViewer: boolean };

/** One page of people; `next` is the `after` of the following one, null on the last. `counts`: how many `q` finds, by what is shown. */
export type PeoplePage = { people: Person[]; next: string | null; counts: Record<(typeof PEOPLE)[number], number> };

/**
 * One page of the people with an account, who came last first, 25 a page. Behind somebody who is gone meanwhile the list begins anew.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `user:read`
 * @throws ZodError if `query` is not a `peopleQuery`
 */
export async function listPeople(viewer: Viewer, query: unknown = {}): Promise<PeoplePage> {
  authorize(viewer, "user:read");
  const { q, show, after } = peopleQuery.parse(query);
  const words = wordsOf(q);
  const last = after ? await db.user.findUnique({ where: { userId: after }, select: { userId: true, createdAt: true } }) : null;
  const [rows, counts] = await Promise.all([
    // One more than asked for tells whether there is a next page.
    readRows({ words, show }, last, PAGE_SIZE + 1),
    Promise.all(PEOPLE.map(async (each) => [each, await db.user.count({ where: { AND: [matching(words), SHOWN[each]] } })] as const)),
  ]);
  const people = await withPresence(rows.slice(0, PAGE_SIZE));
  return { people, next: rows.length > PAGE_SIZE ? (people.at(-1)?.userId ?? null) : null, counts: Object.fromEntries(counts) as PeoplePage["counts"] };
}

/**
 * Everybody whom `listPeople` would list on all its pages together, in its order, some hundreds at a time: however many they are, no more are held at once.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `user:read`
 * @throws ZodError if `query` is not a `peopleQuery`
 */
export async function* readPeople(viewer: Viewer, query: unknown = {}): AsyncGenerator<Person[]> {
  authorize(viewer, "user:read");
  const { q, show } = peopleQuery.omit({ after: true }).parse(query);
  const chosen = { words: wordsOf(q), show };
  let rows = await readRows(chosen, null, BATCH_SIZE);
  while (rows.length > 0) {
    yield await withPresence(rows);
    rows = rows.length < BATCH_SIZE ? [] : await readRows(chosen, rows.at(-1) ?? null, BATCH_SIZE);
  }
}

/**
 * The people whose name or address holds every word of `q`, who came last first; at most `limit`. No words find nobody.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `user:read`
 */
export async function searchPeople(viewer: Viewer, q: string, limit: number): Promise<{ userId: string; name: string }[]> {
  authorize(viewer, "user:read");
  const words = wordsOf(typedQuery(q));
  if (words.length === 0) return [];
  const orderBy: Prisma.UserOrderByWithRelationInput[] = [{ createdAt: "desc" }, { userId: "desc" }];
  return db.user.findMany({ where: matching(words), select: { userId: true, name: true }, orderBy, take: limit });
}

/**
 * Somebody with an account, with their living sessions, the one used last first; at most 50 of them.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `user:read`; NOT_FOUND
 */
export async function getPerson(viewer: Viewer, userId: string): Promise<PersonInFull> {
  authorize(viewer, "user:read");
  const posts = { where: { board: { deletedAt: null } } };
  const row = isUuid(userId) ? await db.user.findUnique({ where: { userId }, select: { ...personFields, _count: { select: { posts } } } }) : null;
  if (!row) throw personNotFound();
  const { _count, ...facts } = row;
  const sessions = await db.session.findMany({
    where: { userId, ...livingSessions() },
    select: { sessionId: true, createdAt: true, lastSeenAt: true, device: true },
    orderBy: [{ lastSeenAt: "desc" }, { sessionId: "desc" }],
    take: SESSIONS_SHOWN,
  });
  const [person = { ...facts, ...NOWHERE }] = await withPresence([facts]);
  return {
    ...person,
    postCount: _count.posts,
    isViewer: facts.userId === viewer.userId,
    sessions: sessions.map(({ device, ...session }) => ({ ...session, device: readDevice(device), isCurrent: session.sessionId === viewer.sessionId })),
  };
}

/**
 * Blocks somebody: they can no longer sign in, and every session of theirs ends at once. What they wrote stays. Blocking twice is blocking once.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `user:block`; OWN_ACCOUNT for oneself; NOT_FOUND; LAST_OWNER where nobody could unblock them
 */
export async function blockPerson(viewer: Viewer, id: string): Promise<void> {
  authorize(viewer, "user:block");
  const userId = personId(id);
  if (userId === viewer.userId) throw new AppError("OWN_ACCOUNT", "You cannot block your own account.");
  await db.$transaction(async (tx) => {
    await requireOtherOwner(tx, userId);
    // First, for it waits for a sign-in under way, whose session is then among those that end.
    const { count } = await tx.user.updateMany({ where: { userId, blockedAt: null }, data: { blockedAt: new Date() } });
    if (count === 0 && !(await tx.user.findUnique({ where: { userId }, select: { userId: true } }))) throw personNotFound();
    await tx.session.deleteMany({ where: { userId } });
  });
}

/**
 * Lets somebody in again who was blocked.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `user:block`; NOT_FOUND
 */
export async function unblockPerson(viewer: Viewer, userId: string): Promise<void> {
  authorize(viewer, "user:block");
  const { count } = isUuid(userId) ? await db.user.updateMany({ where: { userId }, data: { blockedAt: null } }) : { count: 0 };
  if (count === 0) throw personNotFound();
}

/**
 * Ends one session of somebody: that browser or program has to sign in again.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `user:block`; SESSION_NOT_FOUND
 */
export async function endPersonSession(viewer: Viewer, userId: string, sessionId: string): Promise<void> {
  authorize(viewer, "user:block");
  const { count } = isUuid(userId) && isUuid(sessionId) ? await db.session.deleteMany({ where: { sessionId, userId } }) : { count: 0 };
  if (count === 0) throw new AppError("SESSION_NOT_FOUND", "There is no such session. It may have ended already.");
}

/**
 * Ends every session of somebody, but never the one that asks. Somebody who is gone has none.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `user:block`; NOT_FOUND for what is no id
 */
export async function endPersonSessions(viewer: Viewer, userId: string): Promise<void> {
  authorize(viewer, "user:block");
  if (!isUuid(userId)) throw personNotFound();
  await db.session.deleteMany({ where: { userId, sessionId: { not: viewer.sessionId } } });
}

const SHOWN: Record<(typeof PEOPLE)[number], Prisma.UserWhereInput> = {
  all: {},
  blocked: { blockedAt: { not: null } },
  unconfirmed: { verifiedAt: null },
};

/** Which people: those with all of `words`, of the kind that is shown. */
type Chosen = { words: string[]; show: (typeof PEOPLE)[number] };

/** Every word has to be there, in any order. */
function matching(words: string[]): Prisma.UserWhereInput {
  // Prisma hands on what LIKE takes for wildcards.
  return { AND: words.map((word) => ({ searchText: { contains: likePattern(word) } })) };
}

function behind({ createdAt, userId }: Pick<Person, "createdAt" | "userId">): Prisma.UserWhereInput {
  // The first condition alone is what the index needs to start at the right place.
  return { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { userId: { lt: userId } }] };
}

/** At most `take` people, who came last first; from the first one behind `last` on, if given. */
function readRows({ words, show }: Chosen, last: Pick<Person, "createdAt" | "userId"> | null, take: number) {
  return db.user.findMany({
    where: { AND: [matching(words), SHOWN[show], last ? behind(last) : {}] },
    select: personFields,
    orderBy: [{ createdAt: "desc" }, { userId: "desc" }],
    take,
  });
}

const NOWHERE = { lastSeenAt: null, sessionCount: 0 };

/** Adds how many living sessions each has, and when one of them was used last. */
async function withPresence(rows: PersonRow[]): Promise<Person[]> {
  const sessions = await db.session.groupBy({
    by: ["userId"],
    where: { userId: { in: rows.map(({ userId }) => userId) }, ...livingSessions() },
    _max: { lastSeenAt: true },
    _count: true,
  });
  const presence = new Map(sessions.map(({ userId, _max, _count }) => [userId, { lastSeenAt: _max.lastSeenAt, sessionCount: _count }]));
  return rows.map((row) => ({ ...row, ...(presence.get(row.userId) ?? NOWHERE) }));
}

/** Of two owners who block each other at once, the second waits here for the first and is then refused. */
async function requireOtherOwner(tx: Tx, userId: string): Promise<void> {
  const owners = await tx.$queryRaw<{ userId: string; isBlocked: boolean }[]>`
    SELECT "userId"::text AS "userId", "blockedAt" IS NOT NULL AS "isBlocked" FROM "User" WHERE "role" = 'OWNER' ORDER BY "userId" FOR UPDATE`;
  const isOwner = owners.some((owner) => owner.userId === userId);
  const hasOther = owners.some((owner) => owner.userId !== userId && !owner.isBlocked);
  if (isOwner && !hasOther) throw new AppError("LAST_OWNER", "This is the last owner who can sign in. The site would belong to nobody.");
}

/** An id as it is compared here, letter by letter: capitals mean the same id. */
function personId(id: string): string {
  if (!isUuid(id)) throw personNotFound();
  return id.toLowerCase();
}

function personNotFound(): AppError {
  return new AppError("NOT_FOUND", "There is no such person. The account may have been deleted.");
}
