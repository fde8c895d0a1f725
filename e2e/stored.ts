import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { DURABLE_START_PARAMS } from "#lib/embedded/durable-fs";
import { EMBEDDED_EXTENSIONS } from "#lib/embedded/extensions";
import { runOn } from "#lib/testing/postgres";
import type { TestServer } from "./server.ts";

/** What is stored behind a server, read past it. The embedded database must be closed: its server stopped or killed. */
export async function readRows<Row>({ databaseUrl, dataDir }: Pick<TestServer, "databaseUrl" | "dataDir">, sql: string): Promise<Row[]> {
  if (!databaseUrl) {
    const engine = await openEngine(dataDir);
    return (await engine.query<Row>(sql).finally(() => engine.close())).rows;
  }
  const client = new pg.Client({ connectionString: databaseUrl, options: "-c default_transaction_read_only=on" });
  await client.connect();
  return (await client.query(sql).finally(() => client.end())).rows as Row[];
}

/** Changes what is stored behind a server that is stopped, past its rules: for what no request makes, or not as much of it. */
export async function writeRows({ databaseUrl, dataDir }: Pick<TestServer, "databaseUrl" | "dataDir">, statements: string): Promise<void> {
  if (databaseUrl) return runOn(databaseUrl, statements);
  const engine = await openEngine(dataDir);
  await engine.exec(statements).finally(() => engine.close());
}

function openEngine(dataDir: string): Promise<PGlite> {
  return PGlite.create(join(dataDir, "db"), { extensions: EMBEDDED_EXTENSIONS, startParams: DURABLE_START_PARAMS });
}

/** Adds so many public boards behind a server that is stopped, each newer than the one before: more than a test has time to ask for. */
export async function addBoards(server: Pick<TestServer, "databaseUrl" | "dataDir">, count: number): Promise<void> {
  await writeRows(
    server,
    `INSERT INTO "Board" ("boardId", "name", "color", "url", "position", "createdAt")
      SELECT gen_random_uuid(), 'Board ' || n, '0f766e', 'board-number-' || n, 1000 + n, now() + n * interval '1 ms' FROM generate_series(1, ${count}) n;
    INSERT INTO "BoardUrl" ("url", "boardId") SELECT "url", "boardId" FROM "Board" WHERE "position" > 1000;
    UPDATE "SiteSettings" SET "publicBoardCount" = "publicBoardCount" + ${count}`,
  );
}

/** How many rows there are `FROM` each of these. */
export async function countRows<Name extends string>(
  server: Pick<TestServer, "databaseUrl" | "dataDir">,
  from: Record<Name, string>,
): Promise<Record<Name, number>> {
  const columns = Object.entries(from).map(([name, what]) => `(SELECT count(*)::int FROM ${what}) AS "${name}"`);
  const [counts] = await readRows<Record<Name, number>>(server, `SELECT ${columns.join(", ")}`);
  return { ...counts } as Record<Name, number>;
}
