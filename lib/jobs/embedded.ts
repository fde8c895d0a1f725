import type { PGlite } from "@electric-sql/pglite";
import type { Db } from "pg-boss";

/** How pg-boss writes a transaction: statements between BEGIN and COMMIT, sent as one text. */
const TRANSACTION = /^\s*BEGIN;(?<statements>[\s\S]*)COMMIT;?\s*$/;

/**
 * The embedded database as pg-boss wants it. Unlike pg-boss's own `fromPglite`, a transaction that fails is rolled back before anybody
 * else's query gets the one connection: there it was rolled back by a later query, and what came between found it aborted.
 */
export function embeddedJobDatabase(pglite: PGlite): Db {
  return {
    async executeSql(text, values) {
      if (values?.length) return pglite.query(text, [...values]);
      const statements = TRANSACTION.exec(text)?.groups?.statements;
      const results = statements === undefined ? await pglite.exec(text) : await pglite.transaction((tx) => tx.exec(statements));
      return { rows: results.flatMap(({ rows }) => rows) };
    },
    async listen(channel, onNotification, onReconnect) {
      const unsubscribe = await pglite.listen(channel, onNotification);
      onReconnect();
      return { close: () => unsubscribe() };
    },
  };
}
