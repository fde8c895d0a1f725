import { type Api, newEmail, PASSWORD } from "../api/client.ts";
import type { TestServer } from "../server.ts";
import { countRows, readRows } from "../stored.ts";

/** What the server has acknowledged. None of it may ever be lost. `privateIds` are boards that were made private afterwards. */
export type Acknowledged = { boardIds: string[]; privateIds: string[]; userIds: string[] };

/** Of a site that nobody has written to. */
export function nothingAcknowledged(): Acknowledged {
  return { boardIds: [], privateIds: [], userIds: [] };
}

/** How many writes were acknowledged. */
export function writtenBy({ boardIds, privateIds, userIds }: Acknowledged): number {
  return boardIds.length + privateIds.length + userIds.length;
}

/** Boards and accounts written one after another, by several callers at once, until the server answers no more. `done` resolves then. */
export function startWriters(api: Api, ownerToken: string, acknowledged: Acknowledged): { done: Promise<unknown> } {
  const owner = api.as({ token: ownerToken });

  async function createBoards(): Promise<boolean> {
    const { status, body } = await owner.post("/boards", { name: "Written under fire" });
    if (status !== 201) return false;
    const boardId = String(body.board.boardId);
    acknowledged.boardIds.push(boardId);
    const changed = await owner.patch(`/boards/${boardId}`, { isPrivate: true });
    if (changed.status === 200) acknowledged.privateIds.push(boardId);
    return changed.status === 200;
  }

  async function signUp(): Promise<boolean> {
    const { status, body } = await api.post("/auth/signup", { email: newEmail(), password: PASSWORD });
    if (status === 201) acknowledged.userIds.push(body.user.userId);
    return status === 201;
  }

  return { done: Promise.all([createBoards, createBoards, createBoards, signUp, signUp].map(repeat)) };
}

/** Writes again and again, until the server says no or is gone. */
async function repeat(write: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const goesOn = await write().catch((error: unknown) => {
      if (error instanceof Error && error.name === "AssertionError") throw error;
      return false;
    });
    if (!goesOn) return;
  }
}

/** Which of what was acknowledged is not stored, and what is stored by halves; all zero on a sound site. The server must not run. */
export async function findDamage(server: TestServer, acknowledged: Acknowledged): Promise<Record<string, number>> {
  const stored = await readRows<{ id: string; isPrivate: boolean | null }>(
    server,
    `SELECT "boardId" AS id, "isPrivate" FROM "Board" UNION ALL SELECT "userId", NULL FROM "User"`,
  );
  const ids = new Set(stored.map(({ id }) => id));
  const nowPrivate = new Set(stored.filter(({ isPrivate }) => isPrivate).map(({ id }) => id));
  const lost = [
    ...[...acknowledged.boardIds, ...acknowledged.userIds].filter((id) => !ids.has(id)),
    ...acknowledged.privateIds.filter((id) => !nowPrivate.has(id)),
  ];
  const halves = await countRows(server, {
    usersWithoutSession: `"User" u WHERE NOT EXISTS (SELECT 1 FROM "Session" s WHERE s."userId" = u."userId")`,
    usersWithoutLetter: `"User" u WHERE NOT EXISTS (SELECT 1 FROM "Mail" m WHERE m."userId" = u."userId")`,
    usersWithoutLink: `"User" u WHERE NOT EXISTS (SELECT 1 FROM "MailToken" t WHERE t."userId" = u."userId")`,
    lettersWithoutJob: `"Mail" m WHERE status = 'QUEUED' AND NOT EXISTS (SELECT 1 FROM pgboss.job j WHERE j.singleton_key = m."mailId"::text)`,
    boardsWithoutAddress: `"Board" b WHERE NOT EXISTS (SELECT 1 FROM "BoardUrl" u WHERE u.url = b.url AND u."boardId" = b."boardId")`,
    driftedCounters: `"SiteSettings" WHERE "publicBoardCount" <> (SELECT count(*) FROM "Board" WHERE "deletedAt" IS NULL AND NOT "isPrivate")
      OR "privateBoardCount" <> (SELECT count(*) FROM "Board" WHERE "deletedAt" IS NULL AND "isPrivate")`,
  });
  return { lost: lost.length, ...halves };
}
