import { backUp } from "#server/backup";
import { readWord } from "./arguments.ts";
import { report } from "./commands.ts";
import { lowerPriority } from "./priority.ts";

/** `npm run backup [-- FILE]`: writes the whole site into one file, running or stopped. */
const file = readWord();
lowerPriority();
await report(async (onProgress) => {
  const { path, bytes } = await backUp(file, onProgress);
  const size = new Intl.NumberFormat("en", { style: "unit", unit: "kilobyte", maximumFractionDigits: 1 }).format(bytes / 1000);
  return `The site is in ${path} (${size}), with its password hashes, sessions and secrets: keep it as safe as the database.\nTo bring it back: npm run restore -- ${path}`;
});
