import type { PGlite } from "@electric-sql/pglite";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import type pg from "pg";
import type { Driver } from "../db.ts";
import { asEngine, EmbeddedAdapter } from "../embedded/adapter.ts";
import { adapterOn, createConnection } from "../postgres.ts";

/** Runs SQL: many statements at once without `values`, one with them. */
export type Execute = <Row = unknown>(sql: string, values?: unknown[]) => Promise<Row[]>;

/** A connection of its own for long work, such as a migration or a backup, that nothing else disturbs and no time limit ends. */
export type Connection = {
  execute: Execute;
  /** Runs `work` in one transaction: all of it is kept, or nothing. What Prisma's tools do by way of `adapter` is part of it. */
  transaction<Result>(work: (execute: Execute, adapter: SqlMigrationAwareDriverAdapterFactory) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

/** Opens one to the database of `driver`; on the embedded database it is the one that everybody has. Close it in the end. */
export async function openConnection(driver: Driver): Promise<Connection> {
  return driver.kind === "embedded" ? embeddedConnection(driver.pglite) : postgresConnection(createConnection(driver.server));
}

function embeddedConnection(pglite: PGlite): Connection {
  const executeOn =
    (engine: Pick<PGlite, "query" | "exec">): Execute =>
    async <Row>(sql: string, values?: unknown[]) => {
      if (values) return (await engine.query<Row>(sql, values)).rows;
      return ((await engine.exec(sql)).at(-1)?.rows ?? []) as Row[];
    };
  return {
    execute: executeOn(pglite),
    transaction: (work) => pglite.transaction((tx) => work(executeOn(tx), new EmbeddedAdapter(asEngine(tx)))),
    close: async () => {},
  };
}

/** PostgreSQL 17 has a limit that those before do not know, and so refuse among the options of a connection. */
const LIFT_TRANSACTION_TIMEOUT = "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'";

async function postgresConnection(client: pg.Client): Promise<Connection> {
  await client.connect();
  await client.query(LIFT_TRANSACTION_TIMEOUT);
  const execute: Execute = async <Row>(sql: string, values?: unknown[]) => {
    const result: unknown = await client.query(sql, values);
    const last = Array.isArray(result) ? result.at(-1) : result;
    return (last as { rows: Row[] }).rows;
  };
  return {
    execute,
    async transaction(work) {
      await execute("BEGIN");
      try {
        const result = await work(execute, adapterOn(client));
        await execute("COMMIT");
        return result;
      } catch (error) {
        await execute("ROLLBACK").catch(() => {});
        throw error;
      }
    },
    close: () => client.end(),
  };
}
