import { restoreBackup } from "#server/backup";
import { readWord } from "./arguments.ts";
import { report } from "./commands.ts";

/** `npm run restore -- FILE`: brings a backup back into an empty DATA_DIR or DATABASE_URL. */
const file = readWord();
await report(async (onProgress) => {
  if (!file) throw new Error("Say which backup: npm run restore -- FILE");
  const rows = await restoreBackup(file, onProgress);
  return `The site is back, all ${rows.toLocaleString("en")} rows of it. Start Heard; one that runs on this database already must be started anew.`;
});
