import { z } from "zod";
import type { Viewer } from "#lib/auth";
import { daysUntil } from "#lib/days";
import { db } from "#lib/db";
import { lettersStayHere } from "#lib/mail";
import { Prisma } from "#prisma/generated/client";
import { KEEP_DONE_DAYS } from "./mails.ts";
import { authorize } from "./permissions.ts";
import { getSite } from "./settings.ts";

/** How many days a look back can have. */
export const STATISTICS_DAYS = ["7", "30", "90"] as const;

/** The query of `getStatistics`. */
export const statisticsQuery = z.object({ days: z.enum(STATISTICS_DAYS, "must be 7, 30 or 90").default("30") });

/** What is counted. */
export const STATISTICS = ["posts", "people", "boards", "letters"] as const;
export type Statistic = (typeof STATISTICS)[number];

/** What each is called in a table that people take with them. */
export const STATISTIC_COLUMNS: Record<Statistic, string> = { posts: "posts", people: "people", boards: "boards", letters: "emails" };

/** `counts`: how many came on each of the days. `before`: how many in as many days before; null where that is no longer known. */
export type Figure = { counts: number[]; total: number; before: number | null };

/** `dates` are `YYYY-MM-DD`, the oldest first, today last; days begin and end in `timeZone`. */
export type Statistics = { timeZone: string; dates: string[]; figures: Record<Statistic, Figure> };

/** What is deleted counts nowhere; letters count once a mail server took them or, where they stay in the outbox, once they lie there (`STORED_AS`). */
function sources(): Record<Statistic, { from: Prisma.Sql; at: Prisma.Sql }> {
  return {
    posts: { from: Prisma.sql`"Post" AS counted JOIN "Board" USING ("boardId") WHERE "Board"."deletedAt" IS NULL`, at: Prisma.sql`counted."createdAt"` },
    people: { from: Prisma.sql`"User" WHERE true`, at: Prisma.sql`"createdAt"` },
    boards: { from: Prisma.sql`"Board" WHERE "deletedAt" IS NULL`, at: Prisma.sql`"createdAt"` },
    letters: { from: Prisma.sql`"Mail" WHERE "status" = 'SENT' AND ("props" = '{}') = ${!lettersStayHere()}`, at: Prisma.sql`"sentAt"` },
  };
}

/**
 * How many posts, people, boards and letters came on each of the last days, as the site's time zone has them, and in as many days before.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `settings:update`
 * @throws ZodError if `query` is not a `statisticsQuery`
 */
export async function getStatistics(viewer: Viewer, query: unknown = {}, now = new Date()): Promise<Statistics> {
  authorize(viewer, "settings:update");
  const count = Number(statisticsQuery.parse(query).days);
  const { timeZone } = await getSite();
  const days = daysUntil(now, 2 * count, timeZone);
  const starts = days.map(({ start }) => start);
  const figures = await Promise.all(STATISTICS.map(async (statistic) => [statistic, figureOf(await countByDay(statistic, starts, now))] as const));
  const { letters, ...others } = Object.fromEntries(figures) as Record<Statistic, Figure>;
  const isWhole = 2 * count <= KEEP_DONE_DAYS;
  return { timeZone, dates: days.slice(count).map(({ date }) => date), figures: { ...others, letters: isWhole ? letters : { ...letters, before: null } } };
}

/** One grouped query. The days' beginnings are given, for the database may know other time zones, or other rules for them, than we do. */
async function countByDay(statistic: Statistic, starts: Date[], now: Date): Promise<number[]> {
  const { from, at } = sources()[statistic];
  const first = starts[0]?.toISOString();
  const rows = await db.$queryRaw<{ day: number; count: number }[]>`
    SELECT width_bucket(${at}, ${starts.map((start) => start.toISOString())}::timestamptz[]) AS day, count(*)::int AS count
    FROM ${from} AND ${at} >= ${first}::timestamptz AND ${at} <= ${now.toISOString()}::timestamptz GROUP BY 1`;
  const counts = new Map(rows.map(({ day, count }) => [day, count]));
  return starts.map((_, index) => counts.get(index + 1) ?? 0);
}

function figureOf(counts: number[]): Figure {
  const half = counts.length / 2;
  const [before, current] = [counts.slice(0, half), counts.slice(half)];
  return { counts: current, total: sum(current), before: sum(before) };
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
