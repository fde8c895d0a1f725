import type { Transaction as EngineTransaction, PGlite } from "@electric-sql/pglite";
import type { IsolationLevel, SqlDriverAdapter, Transaction } from "@prisma/driver-adapter-utils";
import { PrismaPGlite } from "pglite-prisma-adapter";

/**
 * `pglite-prisma-adapter` 0.7.2, mended where it lies: there a failed COMMIT looks like a successful one, a script's failure is
 * lost, the isolation level is set before the transaction begins, where PostgreSQL ignores it, and there are no savepoints.
 */
export class EmbeddedAdapter extends PrismaPGlite {
  readonly #pglite: PGlite;

  constructor(pglite: PGlite) {
    super(pglite);
    this.#pglite = pglite;
  }

  override async connect(): Promise<SqlDriverAdapter> {
    const adapter = await super.connect();
    return Object.assign(adapter, {
      startTransaction: (level?: IsolationLevel) => begin(this.#pglite, level),
      executeScript: async (script: string) => {
        await this.#pglite.exec(script).catch((error: unknown) => asPrismaError(adapter, error));
      },
    });
  }
}

/** A transaction of the engine in the engine's place: all that an adapter does with its engine is to query it, which a transaction can do as well. */
export function asEngine(tx: EngineTransaction): PGlite {
  return tx as unknown as PGlite;
}

async function begin(pglite: PGlite, level?: IsolationLevel): Promise<Transaction> {
  const begun = Promise.withResolvers<Transaction>();
  const decided = Promise.withResolvers<"commit" | "rollback">();
  const ended = pglite.transaction(async (tx) => {
    if (level) await tx.exec(`SET TRANSACTION ISOLATION LEVEL ${level}`);
    const queryable = await new PrismaPGlite(asEngine(tx)).connect();
    const run = async (sql: string) => {
      await tx.exec(sql).catch((error: unknown) => asPrismaError(queryable, error));
    };
    const end = async (decision: "commit" | "rollback") => {
      decided.resolve(decision);
      await ended.catch((error: unknown) => asPrismaError(queryable, error));
    };
    begun.resolve(
      Object.assign(queryable, {
        options: { usePhantomQuery: true },
        commit: () => end("commit"),
        rollback: () => end("rollback"),
        createSavepoint: (name: string) => run(`SAVEPOINT ${name}`),
        rollbackToSavepoint: (name: string) => run(`ROLLBACK TO SAVEPOINT ${name}`),
        releaseSavepoint: (name: string) => run(`RELEASE SAVEPOINT ${name}`),
      }),
    );
    if ((await decided.promise) === "rollback") await tx.rollback();
  });
  // Whoever ends the transaction hears how that went; this is for one that did not even begin.
  ended.catch(begun.reject);
  return begun.promise;
}

/** Throws the engine's error in Prisma's terms. The adapter's own translation does it; only its type does not say so. */
function asPrismaError(adapter: SqlDriverAdapter, error: unknown): never {
  return (adapter as SqlDriverAdapter & { onError(error: unknown): never }).onError(error);
}
