import { text } from "node:stream/consumers";
import { readSetup } from "#server/setup/from-machine";
import { readArguments } from "./arguments.ts";
import { runCommand } from "./commands.ts";

/** `npm run setup -- --owner you@example.com`: what /setup does, for automation. With `--password` the first line of standard input is the password; else one is made, and shown once. */
const { values } = readArguments({
  options: {
    owner: { type: "string" },
    title: { type: "string" },
    name: { type: "string" },
    board: { type: "string" },
    url: { type: "string" },
    password: { type: "boolean", default: false },
  },
});
const { password: isPiped, ...site } = values;
await runCommand("setup", isPiped ? { ...site, password: (await text(process.stdin)).split(/\r?\n/)[0] } : site, readSetup);
