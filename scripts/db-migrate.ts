import { closeDatabase, openDatabase } from "#lib/db";
import { ensureJobSchema } from "#lib/jobs";
import { migrate } from "#lib/migrate";
import { isStartupError } from "#lib/startup-error";
import { migrationLine } from "./migration-progress.ts";
import { startProblem } from "./start-problem.ts";

/** `npm run db:migrate`: brings the database to this version. The server does the same whenever it starts. */
try {
  await openDatabase();
  const applied = await migrate({ onProgress: (progress) => console.log(migrationLine(progress)) });
  await ensureJobSchema();
  console.log(applied.length === 0 ? "The database is up to date." : `Done: ${applied.length} applied.`);
} catch (error) {
  const isRunning = isStartupError(error) && error.isInUse;
  const problem = isRunning ? "Nothing has to be migrated: the Heard that runs on this data directory did so when it started.\n" : startProblem(error);
  if (!problem) throw error;
  process.stderr.write(problem);
  process.exitCode = 1;
} finally {
  await closeDatabase();
}
