import { openDatabase } from "#lib/db";
import { migrate } from "#lib/migrate";

// Opens and migrates the database that the environment names, says each step and at last how many migrations it applied, and keeps it until it is killed.
try {
  await openDatabase();
  const applied = await migrate({ onProgress: ({ step }) => console.log(step) });
  console.log(`open ${applied.length}`);
  setInterval(() => {}, 60_000);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
