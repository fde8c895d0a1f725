import { readArguments } from "./arguments.ts";
import { runCommand } from "./commands.ts";

/** `npm run owner:reset-password [-- owner@example.com]`: a new password for an owner, shown once. */
const { positionals } = readArguments({ allowPositionals: true });
await runCommand("owner:reset-password", { email: positionals[0] });
