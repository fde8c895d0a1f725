import { openDriver } from "#lib/db";

/** Everything stored, as text, read beside Prisma. Jobs too; but not when somebody was last seen, nor how often who tried what, nor the secret that a process makes at its start. */
export async function everythingStored(): Promise<string> {
  const driver = await openDriver();
  const query = async (sql: string) =>
    (driver.kind === "postgresql" ? (await driver.pool.query(sql)).rows : (await driver.pglite.query(sql)).rows) as { text: string }[];
  const tables = await query(`SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS text FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('RateLimit', 'Secret', '_prisma_migrations') OR schemaname = 'pgboss' AND tablename = 'job' ORDER BY 1`);
  const rows: string[] = [];
  for (const { text } of tables)
    rows.push(...(await query(`SELECT '${text} ' || (to_jsonb(t) - 'lastSeenAt')::text AS text FROM ${text} t ORDER BY 1`)).map((row) => row.text));
  return rows.join("\n");
}

/** How many rows each table has in what `everythingStored` returned. */
export function rowCounts(stored: string): Record<string, number> {
  const tables = Object.groupBy(stored.split("\n"), (row) => row.split(" ", 1)[0] ?? "");
  return Object.fromEntries(Object.entries(tables).map(([table, rows = []]) => [table, rows.length]));
}
