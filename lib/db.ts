import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import type { ClientConfig, Pool } from "pg";
import { type Prisma, PrismaClient } from "#prisma/generated/client";
import { stopHearing } from "./changes.ts";
import { EmbeddedAdapter } from "./embedded/adapter.ts";
import { freeBytes, RESERVE_BYTES } from "./embedded/room.ts";
import { type Embedded, openEmbedded } from "./embedded.ts";
import { type Env, env } from "./env.ts";
import { log } from "./log.ts";
import { MAX_WAIT_MS } from "./postgres/patient-pool.ts";
import { checkServer, createPool, PostgresAdapter, readServer } from "./postgres.ts";

export { isDenied, isDuplicate, isUnavailable } from "./db/errors.ts";

/** A connection inside a transaction, as `db.$transaction` hands it on. */
export type Tx = Prisma.TransactionClient;

/** What the database is reached by, for the few that cannot go through Prisma. */
export type Driver =
  | ({ kind: "embedded"; adapter: SqlMigrationAwareDriverAdapterFactory } & Embedded)
  | { kind: "postgresql"; server: ClientConfig; pool: Pool; adapter: SqlMigrationAwareDriverAdapterFactory; close(): Promise<void> };

declare global {
  /** The one client and database of this process, although this code exists twice: in the front server and in Next's bundle. */
  var heardDatabase: { client?: PrismaClient; driver?: Promise<Driver> } | undefined;
}

globalThis.heardDatabase ??= {};
const state = globalThis.heardDatabase;

/**
 * Everything stored. Opens the embedded database, or connects to PostgreSQL, on the first query and not before.
 * On PostgreSQL a transaction waits for its connection about as long as a query does (`lib/postgres/patient-pool.ts`), on the embedded database at most 11 s, and lasts at most 5 s.
 */
export const db: PrismaClient = (state.client ??= new PrismaClient({
  adapter: { provider: "postgres", adapterName: "heard", connect: async () => (await openDriver()).adapter.connect() },
  transactionOptions: { maxWait: MAX_WAIT_MS + 1000, timeout: 5000 },
  errorFormat: "minimal",
}));

/** Which of the two this process uses, by its settings alone. */
export function databaseKind(): Driver["kind"] {
  return env().DATABASE_URL ? "postgresql" : "embedded";
}

/**
 * Opens the database now, so that what stands in the way is known at the start. A new embedded one is a copy of `blank`.
 * @throws StartupError if it cannot be used
 */
export async function openDatabase({ blank }: { blank?: string } = {}): Promise<void> {
  const driver = await openDriver(blank);
  if (driver.kind === "postgresql") await checkServer(driver.pool);
}

/** The open database, opened if it was not; a new embedded one is then a copy of `blank`. */
export function openDriver(blank?: string): Promise<Driver> {
  state.driver ??= openDriverOf(env(), blank).catch((error: unknown) => {
    state.driver = undefined;
    throw error;
  });
  return state.driver;
}

/** Lets running queries finish and closes the database; the next query would open it again. */
export async function closeDatabase(): Promise<void> {
  stopHearing();
  const driver = await state.driver?.catch(() => undefined);
  await db.$disconnect();
  state.driver = undefined;
  await driver?.close();
}

/** Returns when the database has answered. */
export async function pingDatabase(): Promise<void> {
  await db.$queryRaw`SELECT 1`;
}

/**
 * Gives the room of deleted rows free and counts anew what the planner goes by. A PostgreSQL server does so by itself; the embedded one has nobody else.
 * Table by table, so that others get their turn in between. Not where the disk is short: it writes before it frees, and asks nobody. Run daily.
 */
export async function tidyDatabase(): Promise<void> {
  const driver = await openDriver();
  if (driver.kind !== "embedded") return;
  const { rows } = await driver.pglite.query<{ name: string }>("SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables ORDER BY 1");
  for (const { name } of rows) {
    if (freeBytes(env().DATA_DIR) < 4 * RESERVE_BYTES) return log.warn("The disk is short of room: the database is not tidied until there is more.");
    await driver.pglite.exec(`VACUUM (ANALYZE) ${name}`);
  }
}

/** A database beside this process's own, for who carries data from one to the other. Close it in the end. */
export async function openDriverOf({ DATABASE_URL, DATA_DIR }: Pick<Env, "DATABASE_URL" | "DATA_DIR">, blank?: string): Promise<Driver> {
  if (DATABASE_URL) {
    const server = readServer(DATABASE_URL);
    const pool = createPool(server);
    return { kind: "postgresql", server, pool, adapter: new PostgresAdapter(pool), close: () => pool.end() };
  }
  const embedded = await openEmbedded(DATA_DIR, blank);
  return { kind: "embedded", ...embedded, adapter: new EmbeddedAdapter(embedded.pglite) };
}
