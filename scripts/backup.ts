import { constants, getPriority, setPriority } from "node:os";
import { backUp } from "#server/backup";
import { readWord } from "./arguments.ts";
import { report } from "./commands.ts";

/** `npm run backup [-- FILE]`: writes the whole site into one file, running or stopped. */
const file = readWord();
// Who waits for the running site comes first. Back to more nobody but root may go.
const { PRIORITY_BELOW_NORMAL } = constants.priority;
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
await report(async (onProgress) => {
  const { path, bytes } = await backUp(file, onProgress);
  const size = new Intl.NumberFormat("en", { style: "unit", unit: "kilobyte", maximumFractionDigits: 1 }).format(bytes / 1000);
  return `The site is in ${path} (${size}), with its password hashes, sessions and secrets: keep it as safe as the database.\nTo bring it back: npm run restore -- ${path}`;
});
