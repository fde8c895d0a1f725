import { closeDatabase, openDatabase } from "#lib/db";
import { EnvError } from "#lib/env";
import { ensureJobSchema } from "#lib/jobs";
import { type MigrationProgress, migrate } from "#lib/migrate";
import { isStartupError } from "#lib/startup-error";

/** `npm run db:migrate`: brings the database to this version. The server does the same whenever it starts. */
try {
  await openDatabase();
  const applied = await migrate({ onProgress: show });
  await ensureJobSchema();
  console.log(applied.length === 0 ? "The database is up to date." : `Done: ${applied.length} applied.`);
} catch (error) {
  if (!isStartupError(error) && !(error instanceof EnvError)) throw error;
  console.error(error.message);
  if (isStartupError(error) && error.isInUse) console.error("Nothing has to be migrated there: the running one did so when it started.");
  process.exitCode = 1;
} finally {
  await closeDatabase();
}

function show(progress: MigrationProgress): void {
  if (progress.step === "waiting") console.log("Another process is migrating this database: waiting for it.");
  else if (progress.step === "copying") console.log(`Copying the database to backups/${progress.to} …`);
  else console.log(`Applying ${progress.name} (${progress.index + 1} of ${progress.total}) …`);
}
