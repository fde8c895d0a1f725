import type { Execute } from "#lib/db/connection";
import { AppError } from "#lib/errors";
import { lastMigration, listMigrations } from "#lib/migrate/history";
import { Prisma } from "#prisma/generated/client";

/** A table as the database itself describes it. */
export type Table = {
  name: string;
  /** In the order they were made. `type` is a PostgreSQL type without its length, such as `"Role"`. */
  columns: { name: string; type: string }[];
  /** The columns of its primary key. Text is compared by its bytes, for every server sorts words in its own way. */
  key: { name: string; isText: boolean }[];
  refersTo: string[];
};

/** A row's values in PostgreSQL's own text form, in the order of the table's columns: what every type has, and loses nothing. */
export type Row = (string | null)[];

/** Some rows of a table, of which there may be none. Each table has at least one part. */
export type Part = { table: string; columns: string[]; rows: Row[] };

/** The tables that are no part of a site. pg-boss's own lie in a schema of their own, and are made anew from what is queued. */
export const LEFT_OUT: Record<string, string> = {
  _prisma_migrations: "says how far this database is migrated; a restore migrates its own",
  RateLimit: "counts of the last minutes, at most of a day",
};

/** Makes every value's text the same whatever the server is set to. Holds until the transaction ends. */
export const PLAIN_TEXT = "SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1";

/** Rows that are held at a time: few enough for those with a picture. */
export const PART_ROWS = 200;

/**
 * The tables of a site, each behind those that it refers to.
 * @throws AppError FORBIDDEN if one has no primary key, and so no order
 */
export async function listTables(execute: Execute): Promise<Table[]> {
  const found = await execute<Table>(SELECT_TABLES);
  // Where the schema is this version's, its models are all there is, and another table is somebody else's.
  const isCurrent = (await lastMigration(execute)) === (await listMigrations()).at(-1)?.name;
  const tables = found.filter(({ name }) => !(name in LEFT_OUT) && (!isCurrent || name in Prisma.ModelName));
  for (const { name, key } of tables) if (key.length === 0) throw new AppError("FORBIDDEN", `The table "${name}" has no primary key: give it one, or drop it.`);
  return inReferenceOrder(tables);
}

/** Every row of `tables`, a few hundred at a time, ordered by primary key. Call it in a transaction that sees one state, after `PLAIN_TEXT`. */
export async function* readTables(execute: Execute, tables: Table[]): AsyncGenerator<Part> {
  for (const { name, columns, key } of tables) {
    const names = columns.map((column) => column.name);
    const order = key.map((column) => `${quote(name)}.${quote(column.name)}${column.isText ? ' COLLATE "C"' : ""}`);
    const texts = names.map((column) => `${quote(column)}::text AS ${quote(column)}`);
    await execute(`DECLARE part NO SCROLL CURSOR FOR SELECT ${texts} FROM ${quote(name)} ORDER BY ${order}`);
    let isFirst = true;
    for (;;) {
      const rows = await execute<Record<string, string | null>>(`FETCH ${PART_ROWS} FROM part`);
      if (rows.length > 0 || isFirst) yield { table: name, columns: names, rows: rows.map((row) => names.map((column) => row[column] ?? null)) };
      if (rows.length < PART_ROWS) break;
      isFirst = false;
    }
    await execute("CLOSE part");
  }
}

/** How many rows there are in all of `tables`. */
export async function countRows(execute: Execute, tables: Table[]): Promise<number> {
  const counts = tables.map(({ name }) => `(SELECT count(*) FROM ${quote(name)})`);
  const [counted] = await execute<{ rows: string }>(`SELECT (${counts.join(" + ") || "0"})::text AS rows`);
  return Number(counted?.rows);
}

/** A name as SQL takes it. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const SELECT_TABLES = `
SELECT relname::text AS "name",
  (SELECT json_agg(json_build_object('name', attname, 'type', format_type(atttypid, NULL)) ORDER BY attnum)
    FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS "columns",
  (SELECT coalesce(json_agg(json_build_object('name', attname, 'isText', attcollation <> 0) ORDER BY array_position(indkey::int2[], attnum)), '[]')
    FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey) WHERE indrelid = pg_class.oid AND indisprimary) AS "key",
  (SELECT coalesce(json_agg(DISTINCT parent.relname ORDER BY parent.relname), '[]')
    FROM pg_constraint JOIN pg_class AS parent ON parent.oid = confrelid WHERE conrelid = pg_class.oid AND contype = 'f') AS "refersTo"
FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
  AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
ORDER BY relname`;

function inReferenceOrder(tables: Table[]): Table[] {
  const ordered = new Set<Table>();
  const begun = new Set<string>();
  const place = (table: Table) => {
    if (begun.has(table.name)) return;
    begun.add(table.name);
    for (const parent of tables) if (table.refersTo.includes(parent.name)) place(parent);
    ordered.add(table);
  };
  for (const table of tables) place(table);
  return [...ordered];
}
