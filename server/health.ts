import { pingDatabase } from "#lib/db";
import { isStopping } from "#lib/draining";
import { log } from "#lib/log";
import { pendingMigrations } from "#lib/migrate/history";

/** Why this process should get no requests now, or "ok". */
export type Readiness = "ok" | "stopping" | "database" | "migrations";

const CHECK_MS = 3_000;

/** Whether this process can answer: it is not stopping, and the database answers within 3 s and has every migration. */
export async function readiness(): Promise<Readiness> {
  if (isStopping()) return "stopping";
  try {
    return await Promise.race([check(), tooLate()]);
  } catch (error) {
    log.warn({ err: error }, "the readiness check failed");
    return "database";
  }
}

async function check(): Promise<Readiness> {
  await pingDatabase();
  return (await pendingMigrations()).length > 0 ? "migrations" : "ok";
}

function tooLate(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`the database did not answer within ${CHECK_MS} ms`)), CHECK_MS).unref();
  });
}
