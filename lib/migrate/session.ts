import type { Driver } from "../db.ts";
import { env } from "../env.ts";
import { createConnection } from "../postgres.ts";

/** Runs SQL: many statements at once without `values`, one with them. */
export type Execute = <Row = unknown>(sql: string, values?: unknown[]) => Promise<Row[]>;

/** A connection of its own for migrations, that nothing else disturbs and no time limit ends. */
export type MigrationSession = {
  execute: Execute;
  /** Runs `work` in one transaction: all of it is kept, or nothing. */
  transaction(work: (execute: Execute) => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

export async function openMigrationSession(driver: Driver): Promise<MigrationSession> {
  return driver.kind === "embedded" ? embeddedSession(driver.pglite) : postgresSession(env().DATABASE_URL ?? "");
}

type Engine = Pick<Extract<Driver, { kind: "embedded" }>["pglite"], "query" | "exec">;

function embeddedSession(pglite: Extract<Driver, { kind: "embedded" }>["pglite"]): MigrationSession {
  const executeOn =
    (engine: Engine): Execute =>
    async <Row>(sql: string, values?: unknown[]) => {
      if (values) return (await engine.query<Row>(sql, values)).rows;
      return ((await engine.exec(sql)).at(-1)?.rows ?? []) as Row[];
    };
  return {
    execute: executeOn(pglite),
    transaction: (work) => pglite.transaction((tx) => work(executeOn(tx))),
    close: async () => {},
  };
}

async function postgresSession(connectionString: string): Promise<MigrationSession> {
  const client = createConnection(connectionString);
  await client.connect();
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
        await work(execute);
        await execute("COMMIT");
      } catch (error) {
        await execute("ROLLBACK").catch(() => {});
        throw error;
      }
    },
    close: () => client.end(),
  };
}
