import { resolve } from "node:path";
import type { Viewer } from "#lib/auth";
import { databaseKind, db } from "#lib/db";
import { env } from "#lib/env";
import { authorize } from "../permissions.ts";

/** How much there is of one thing. `isExact` is false where only the database's own estimate is known. */
export type RowCount = { rows: number; isExact: boolean };

export type Storage = {
  kind: "embedded" | "postgresql";
  /** The server's version, such as 17.2. */
  version: string;
  bytes: number;
  /** The folder of the embedded database; else host, port and name of the database. Never the password. */
  place: string;
  counts: Record<"boards" | "posts" | "people" | "mails" | "pictures", RowCount>;
};

/** Up to here rows are counted one by one; the time that takes nobody notices. */
const COUNTED_ROWS = 20_000;

/**
 * Where the site's data are, and how much of it there is.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `settings:update`
 */
export async function describeStorage(viewer: Viewer): Promise<Storage> {
  authorize(viewer, "settings:update");
  const [facts] = await db.$queryRaw<{ version: string; bytes: bigint }[]>`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS version, pg_database_size(current_database()) AS bytes`;
  const { _count: boards, _sum } = await db.board.aggregate({ where: { deletedAt: null }, _count: true, _sum: { postCount: true } });
  return {
    kind: databaseKind(),
    version: facts?.version ?? "",
    bytes: Number(facts?.bytes ?? 0),
    place: placeOfData(),
    counts: {
      boards: { rows: boards, isExact: true },
      posts: { rows: _sum.postCount ?? 0, isExact: true },
      people: await countRows("User"),
      mails: await countRows("Mail"),
      pictures: await countRows("Image"),
    },
  };
}

function placeOfData(): string {
  const { DATABASE_URL, DATA_DIR } = env();
  if (!DATABASE_URL) return resolve(DATA_DIR);
  const { host, pathname } = new URL(DATABASE_URL);
  return `${host}${decodeURIComponent(pathname)}`;
}

async function countRows(table: "User" | "Mail" | "Image"): Promise<RowCount> {
  // The name is one of ours, quoted as PostgreSQL quotes it; a table's name cannot be a parameter.
  const [counted] = await db.$queryRawUnsafe<{ rows: bigint }[]>(
    `SELECT count(*) AS rows FROM (SELECT 1 FROM "${table}" LIMIT ${COUNTED_ROWS + 1}) AS counted`,
  );
  const rows = Number(counted?.rows ?? 0);
  if (rows <= COUNTED_ROWS) return { rows, isExact: true };
  const [estimated] = await db.$queryRaw<{ rows: number }[]>`SELECT reltuples::float8 AS rows FROM pg_class WHERE oid = ${`"${table}"`}::regclass`;
  return { rows: Math.max(COUNTED_ROWS, Math.round(estimated?.rows ?? 0)), isExact: false };
}
