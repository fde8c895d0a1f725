import { readWord } from "./arguments.ts";
import { runCommand } from "./commands.ts";

/** `npm run owner:reset-password [-- owner@example.com]`: a new password for an owner, shown once. */
await runCommand("owner:reset-password", { email: readWord() });
