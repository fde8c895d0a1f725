import process from "node:process";
import { readArguments } from "./arguments.ts";
import { passSignalsOn, runQuietly, Stopped } from "./bootstrap/run.mjs";

type Check = { name: string; args: string[]; before?: string[] };

/** `--fix` lets Biome mend what it can. */
const { values } = readArguments({ options: { fix: { type: "boolean", default: false } } });
const fix = values.fix ? ["--write"] : [];

const CHECKS: Check[] = [
  { name: "lint and format", args: ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "--max-diagnostics=200", ...fix] },
  { name: "house rules", args: ["scripts/house-rules.ts"] },
  { name: "unused files, exports and packages", args: ["node_modules/knip/bin/knip.js", "--no-progress", "--no-config-hints"] },
  // Next writes the types of routes and of what its bundler imports.
  { name: "types", before: ["node_modules/next/dist/bin/next", "typegen"], args: ["node_modules/typescript/bin/tsc", "--noEmit"] },
];

/** `npm run check`: everything that can be said about the code without running it. */
async function check(): Promise<number> {
  const failed: string[] = [];
  for (const { name, args, before } of CHECKS) {
    const startedAt = Date.now();
    if (before) await run(before);
    const { code, output } = await run(args);
    process.stdout.write(`${code === 0 ? "✓" : "✗"} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)\n`);
    if (code !== 0) failed.push(name);
    if (code !== 0) process.stdout.write(`${output.trimEnd()}\n`);
  }
  process.stdout.write(
    failed.length === 0 ? "All checks passed.\n" : `Failed: ${failed.join(", ")}. "npm run check -- --fix" mends formatting and the order of imports.\n`,
  );
  return failed.length === 0 ? 0 : 1;
}

function run(args: string[]): Promise<{ code: number; output: string }> {
  return runQuietly(process.execPath, args, { cwd: process.cwd(), env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } });
}

passSignalsOn();
try {
  process.exitCode = await check();
} catch (error) {
  if (!(error instanceof Stopped)) throw error;
  process.exitCode = error.code;
}
