import { readArguments } from "./arguments.ts";
import { runCommand } from "./commands.ts";

/** `npm run recount`: sets every counter to what the rows say; `-- --check` changes none, and ends with 1 if one is wrong. A migration that is due is made first, as at a start. */
const { values } = readArguments({ options: { check: { type: "boolean", default: false } } });
await runCommand("recount", values);
