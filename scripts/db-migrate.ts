import { migrationLine } from "#front/migration-progress";
import { startProblem } from "#front/start-problem";
import { callControl } from "#lib/control";
import { closeDatabase, openDatabase } from "#lib/db";
import { env } from "#lib/env";
import { ensureJobSchema } from "#lib/jobs";
import { migrate } from "#lib/migrate";
import { listMigrations } from "#lib/migrate/history";
import { isStartupError, StartupError } from "#lib/startup-error";
import { readArguments } from "./arguments.ts";

/** `npm run db:migrate`: brings the database to this version. The server does the same whenever it starts. */
readArguments({});
try {
  console.log(await migrateHere().catch(askWhoRuns));
} catch (error) {
  const problem = startProblem(error, "The database was not migrated.");
  if (!problem) throw error;
  process.stderr.write(problem);
  process.exitCode = 1;
} finally {
  await closeDatabase();
}

async function migrateHere(): Promise<string> {
  await openDatabase();
  const applied = await migrate({ onProgress: (progress) => process.stderr.write(`${migrationLine(progress)}\n`) });
  await ensureJobSchema();
  return applied.length === 0 ? "The database is up to date." : `Done: ${applied.length} applied.`;
}

/** Where a Heard that serves has the database, it says how things stand. */
async function askWhoRuns(error: unknown): Promise<string> {
  if (!(isStartupError(error) && error.isInUse)) throw error;
  const newest = (await listMigrations()).at(-1)?.name;
  const answer = await callControl(env().DATA_DIR, "migrate", { newest }, () => {}).catch((cause: Error) =>
    Promise.reject(new StartupError(cause.message, { cause })),
  );
  if (answer === null) throw error;
  return answer;
}
