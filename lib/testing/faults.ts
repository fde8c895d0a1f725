import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory, SqlQuery, Transaction } from "@prisma/driver-adapter-utils";
import { openDriver } from "#lib/db";

/** What a database call fails with when it is told to. */
const PLANTED = "Connection terminated unexpectedly";

/** Makes chosen calls to this process's database fail, and tells what they were. */
export type Faults = {
  /** The next call to come that fails, counted from 1; none by default. */
  failAt(call: number): void;
  /** A list that every statement to come is added to, until the next call. */
  record(): string[];
  /** Lets everything through again, and returns how many calls there were since `failAt`. */
  stop(): number;
  /** The statement that failed last; empty where a transaction could not begin. */
  failed(): string;
};

/** Puts itself between Prisma and the database; to be called before the first query of a test file. A COMMIT that fails has not happened. */
export async function plantFaults(): Promise<Faults> {
  let [calls, failing] = [0, Number.POSITIVE_INFINITY];
  let statements: string[] = [];
  let failed = "";
  const isDue = () => ++calls === failing;
  const fail = (sql = ""): never => {
    failed = sql;
    throw new Error(PLANTED);
  };

  function withFaults<Queryable extends SqlDriverAdapter | Transaction>(queryable: Queryable): Queryable {
    const { queryRaw, executeRaw } = queryable;
    return Object.assign(queryable, {
      queryRaw(query: SqlQuery) {
        statements.push(query.sql);
        return isDue() ? fail(query.sql) : queryRaw.call(queryable, query);
      },
      async executeRaw(query: SqlQuery) {
        statements.push(query.sql);
        if (!isDue()) return executeRaw.call(queryable, query);
        // On PostgreSQL the end of a transaction is a statement like any other; one that is lost leaves it undone.
        if (query.sql === "COMMIT") await executeRaw.call(queryable, { ...query, sql: "ROLLBACK" });
        return fail(query.sql);
      },
    });
  }

  function inTransaction(transaction: Transaction): Transaction {
    const commit = transaction.commit.bind(transaction);
    const endsByStatement = !transaction.options.usePhantomQuery;
    return Object.assign(withFaults(transaction), {
      async commit() {
        if (endsByStatement || !isDue()) return commit();
        await transaction.rollback();
        return fail("COMMIT");
      },
    });
  }

  const driver = await openDriver();
  const factory: SqlMigrationAwareDriverAdapterFactory = driver.adapter;
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const startTransaction = adapter.startTransaction.bind(adapter);
    return Object.assign(withFaults(adapter), {
      startTransaction: async (...level: Parameters<typeof startTransaction>) => (isDue() ? fail() : inTransaction(await startTransaction(...level))),
    });
  };
  return {
    failAt(call) {
      [calls, failing] = [0, call];
    },
    record() {
      statements = [];
      return statements;
    },
    stop() {
      failing = Number.POSITIVE_INFINITY;
      return calls;
    },
    failed: () => failed,
  };
}
