import type { Tx } from "#lib/db";
import { atLeisure } from "#lib/db/leisure";
import { lockSite } from "./settings.ts";

/** A counter that does not say what the rows say. `boardId` and `url` are null where it is the site's. */
export type Drift = { counter: string; boardId: string | null; url: string | null; stored: string | null; actual: string | null };

/** The counters that are wrong. They and what they count are read in one statement, so at one moment, and nobody has to wait. */
export async function findDrift(): Promise<Drift[]> {
  return atLeisure(
    (tx) => tx.$queryRaw<Drift[]>`
    WITH counted AS (
      SELECT "boardId", count(*) AS "posts", max("createdAt") AS "newestAt" FROM "Post" GROUP BY "boardId"
    ), counters AS (
      SELECT 'SiteSettings.publicBoardCount' AS "counter", NULL::uuid AS "boardId", NULL AS "url", "publicBoardCount"::text AS "stored",
        (SELECT count(*) FROM "Board" WHERE "deletedAt" IS NULL AND NOT "isPrivate")::text AS "actual"
      FROM "SiteSettings"
      UNION ALL
      SELECT 'SiteSettings.privateBoardCount', NULL, NULL, "privateBoardCount"::text,
        (SELECT count(*) FROM "Board" WHERE "deletedAt" IS NULL AND "isPrivate")::text
      FROM "SiteSettings"
      UNION ALL
      SELECT 'Board.postCount', "boardId", "url", "postCount"::text, coalesce("posts", 0)::text FROM "Board" LEFT JOIN counted USING ("boardId")
      UNION ALL
      SELECT 'Board.lastPostAt', "boardId", "url", "lastPostAt"::text, "newestAt"::text FROM "Board" LEFT JOIN counted USING ("boardId")
    )
    SELECT * FROM counters WHERE "stored" IS DISTINCT FROM "actual" ORDER BY "counter", "boardId"`,
  );
}

/**
 * Sets every counter to what the rows say and returns those that were wrong. Safe while others write: what is counted is locked first, in the order
 * in which they lock it, and one board at a time.
 */
export async function mendCounters(): Promise<Drift[]> {
  const drifts = await findDrift();
  const boardIds = new Set(drifts.flatMap(({ boardId }) => boardId ?? []));
  for (const boardId of boardIds) await atLeisure((tx) => mendBoard(tx, boardId));
  if (drifts.some(({ boardId }) => boardId === null)) await atLeisure(mendSite);
  return drifts;
}

/** Whoever adds or removes a post locks its board's row; a statement after the lock sees all that was committed before it. */
async function mendBoard(tx: Tx, boardId: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM "Board" WHERE "boardId" = ${boardId}::uuid FOR NO KEY UPDATE`;
  await tx.$executeRaw`
    UPDATE "Board" SET ("postCount", "lastPostAt") = (SELECT count(*), max("createdAt") FROM "Post" WHERE "Post"."boardId" = "Board"."boardId")
    WHERE "boardId" = ${boardId}::uuid`;
}

async function mendSite(tx: Tx): Promise<void> {
  await lockSite(tx);
  await tx.$executeRaw`
    UPDATE "SiteSettings" SET ("publicBoardCount", "privateBoardCount") =
      (SELECT count(*) FILTER (WHERE NOT "isPrivate"), count(*) FILTER (WHERE "isPrivate") FROM "Board" WHERE "deletedAt" IS NULL)`;
}
