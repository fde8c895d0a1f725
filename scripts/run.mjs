import process from "node:process";
import { atLeastNode20 } from "./bootstrap/node-version.mjs";

// Runs any of Heard's TypeScript commands from a bare checkout: `node scripts/run.mjs scripts/check.ts …`.
atLeastNode20();
const { prepareAndRun } = await import("./bootstrap/prepare.mjs");
await prepareAndRun(process.argv.slice(2));
