import type { MigrationProgress } from "#lib/migrate";

/** A line on what a migration is doing. */
export function migrationLine(progress: MigrationProgress): string {
  switch (progress.step) {
    case "waiting":
      return "Another process is migrating the database; waiting for it …";
    case "copying":
      return `Copying the database to backups/${progress.to} before it is changed …`;
    case "applying":
      return `Migrating the database (${progress.index + 1} of ${progress.total}): ${progress.name}`;
  }
}
