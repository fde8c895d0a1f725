import type { Driver } from "#lib/db";
import { type Connection, type Execute, openConnection } from "#lib/db/connection";
import { AppError } from "#lib/errors";
import { holdMigrations, migrate } from "#lib/migrate";
import { lastMigration, listMigrations } from "#lib/migrate/history";
import type { BackupHeader } from "./file.ts";
import { listTables, type Part, quote, type Table } from "./tables.ts";

/** What a server makes by itself before anybody has set its site up. A backup brings its own. */
const MADE_BY_ITSELF = ["Secret"];

/** @throws AppError VALIDATION_ERROR if only a newer Heard can bring the backup back. Needs no database. */
export async function refuseNewer({ version, migration }: BackupHeader): Promise<void> {
  if ((await listMigrations()).some(({ name }) => name === migration)) return;
  throw new AppError(
    "VALIDATION_ERROR",
    `The backup was made by a newer Heard (${version}, with the migration ${migration}): use that version, or a later one.`,
  );
}

/**
 * Fills an empty database with rows: it is migrated as far as theirs was, filled in one transaction, and migrated further.
 * Ended at any moment it is empty still, or has all rows, and the next start migrates it.
 * @throws AppError FORBIDDEN if it is not empty, or has newer migrations; VALIDATION_ERROR if the rows do not fit
 */
export async function fillDatabase(driver: Driver, { migration }: Pick<BackupHeader, "migration">, parts: AsyncIterable<Part>): Promise<void> {
  const connection = await openConnection(driver);
  try {
    await refuseOtherThanEmpty(connection, migration);
    await migrate({ driver, upTo: migration });
    await holdMigrations(connection.execute);
    await connection.transaction((execute) => fill(execute, parts));
  } finally {
    await connection.close();
  }
  await migrate({ driver });
}

async function refuseOtherThanEmpty({ execute }: Connection, migration: string): Promise<void> {
  const last = await lastMigration(execute);
  if (last === null) return;
  await refuseUsed(execute, await listTables(execute));
  if (last > migration)
    throw new AppError(
      "FORBIDDEN",
      `This database was made ready by a newer Heard (${last}) than the backup's (${migration}): restore into a new DATA_DIR or a new database. Nothing was changed.`,
    );
}

async function refuseUsed(execute: Execute, tables: Table[]): Promise<void> {
  for (const { name } of tables) {
    if (MADE_BY_ITSELF.includes(name)) continue;
    const [used] = await execute(`SELECT 1 FROM ${quote(name)} LIMIT 1`);
    if (used)
      throw new AppError(
        "FORBIDDEN",
        `There is a site already (the table "${name}" has rows), and only an empty place is filled: choose another DATA_DIR, or an empty database. Nothing was changed.`,
      );
  }
}

async function fill(execute: Execute, parts: AsyncIterable<Part>): Promise<void> {
  const tables = await listTables(execute);
  await execute(`LOCK TABLE ${tables.map(({ name }) => quote(name))} IN ACCESS EXCLUSIVE MODE`);
  await refuseUsed(execute, tables);
  for (const name of MADE_BY_ITSELF) await execute(`DELETE FROM ${quote(name)}`);
  const references = await dropReferences(execute);
  for await (const part of parts) await insert(execute, part, tables);
  // Looked at once, when all rows are there: those of one table may refer to each other in any order.
  for (const { table, name, definition } of references) await execute(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  // The embedded database has nobody who would do it later.
  await execute("ANALYZE");
}

type Reference = { table: string; name: string; definition: string };

async function dropReferences(execute: Execute): Promise<Reference[]> {
  const references = await execute<Reference>(`
    SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS "name", pg_get_constraintdef(oid) AS "definition"
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY 1, 2`);
  for (const { table, name } of references) await execute(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return references;
}

async function insert(execute: Execute, { table: name, columns: given, rows }: Part, tables: Table[]): Promise<void> {
  const table = tables.find((candidate) => candidate.name === name);
  if (!table || given.join() !== table.columns.map((column) => column.name).join() || rows.some(({ length }) => length !== given.length))
    throw new AppError("VALIDATION_ERROR", `The backup's table "${name}" is not as this database has it. Nothing was changed.`);
  if (rows.length === 0) return;
  const columns = table.columns.map((column) => quote(column.name));
  const values = table.columns.map(({ type }, index) => `(row ->> ${index})::${type}`);
  const sql = `INSERT INTO ${quote(name)} (${columns}) SELECT ${values} FROM jsonb_array_elements($1::text::jsonb) AS row`;
  await execute(sql, [JSON.stringify(rows)]);
}
