import { db, type Tx } from "../db.ts";
import { withoutHaste } from "../postgres/silence.ts";

/** On a large site counting and deleting take longer than a request may. */
const TIMEOUT_MS = 10 * 60 * 1000;

/** Runs `work` in one transaction of up to ten minutes, without the time limit that a request's statements have. For commands. */
export function atLeisure<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return withoutHaste(() =>
    db.$transaction(
      async (tx) => {
        await tx.$executeRaw`SET LOCAL statement_timeout = 0`;
        return work(tx);
      },
      { timeout: TIMEOUT_MS },
    ),
  );
}
