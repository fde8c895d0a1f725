import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "./arguments.ts";
import { passSignalsOn, runQuietly, Stopped } from "./bootstrap/run.mjs";
import { FAULTS } from "./planted-faults/all.ts";
import type { Fault } from "./planted-faults/fault.ts";
import { copyCheckout } from "./testing/copy.ts";

/**
 * `npm run planted-faults`: breaks each guarded thing in a copy of this checkout, one after another, and sees whether its test fails.
 * `-- --bar Z8` tries those of one bar. Ends with 1 if a fault went unnoticed, no longer fits the code, or breaks the build, or if its test fails without it, too.
 */
const { values } = readArguments({ options: { bar: { type: "string" } } });

/** Whether each test passes while nothing is broken. */
const soundTests = new Map<string, boolean>();

const faults = FAULTS.filter(({ bars }) => !values.bar || bars.split(", ").includes(values.bar));
if (faults.length === 0) {
  process.stderr.write(`No fault is planted for a bar called ${values.bar}.\n`);
  process.exit(1);
}
passSignalsOn();
let copy = copyCheckout();
try {
  let missed = 0;
  let skipped = 0;
  for (const fault of faults) {
    const outcome = await tryFault(fault);
    process.stdout.write(`${outcome.padEnd(14)}${fault.bars.padEnd(14)}${fault.what} (${fault.test})\n`);
    if (outcome === "skipped") skipped++;
    else if (outcome !== "noticed") missed++;
  }
  if (skipped > 0) process.stdout.write(`${skipped} were skipped: they need TEST_DATABASE_URL.\n`);
  process.stdout.write(missed === 0 ? "Every fault that was tried was noticed.\n" : `${missed} were not seen to be noticed.\n`);
  process.exitCode = missed === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof Stopped)) throw error;
  process.exitCode = error.code;
} finally {
  rmSync(copy, { recursive: true });
}

/** Breaks what the fault breaks, and sees whether its test fails. */
async function tryFault(fault: Fault): Promise<"noticed" | "UNNOTICED" | "NO PLACE" | "NO BUILD" | "FAILS ANYHOW" | "skipped"> {
  const { file, find, replace } = fault;
  if (fault.needsPostgres && !process.env.TEST_DATABASE_URL) return "skipped";
  rmSync(copy, { recursive: true });
  copy = copyCheckout();
  const path = join(copy, file);
  const source = readFileSync(path, "utf8");
  if (!source.includes(find)) return "NO PLACE";
  const proof = `${fault.test} ${fault.onEmbedded ?? false}`;
  if (!soundTests.has(proof)) soundTests.set(proof, (await isBuilt(fault)) && (await passes(fault)));
  if (!soundTests.get(proof)) return "FAILS ANYHOW";
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  // What breaks the build shows of its test nothing.
  if (!(await isBuilt(fault))) return "NO BUILD";
  return (await passes(fault)) ? "UNNOTICED" : "noticed";
}

/** Builds the copy where the fault's test needs that. */
async function isBuilt(fault: Fault): Promise<boolean> {
  const needsBuild = fault.project !== "rules" && fault.project !== "scripts";
  return !needsBuild || run(fault, ["-e", "import('./scripts/bootstrap/prepare.mjs').then((prepare) => prepare.prepareBuild())"]);
}

function passes(fault: Fault): Promise<boolean> {
  const { project, test } = fault;
  const runner = project === "browser" ? ["node_modules/@playwright/test/cli.js", "test"] : ["node_modules/vitest/vitest.mjs", "run", "--project", project];
  return run(fault, [...runner, test]);
}

/** Whether Node ends well with these arguments, in the copy. */
async function run({ onEmbedded }: Fault, args: string[]): Promise<boolean> {
  const env = { ...process.env, NODE_ENV: "test" as const, ...(onEmbedded && { TEST_DATABASE_URL: "" }) };
  const { code } = await runQuietly(process.execPath, args, { cwd: copy, env });
  return code === 0;
}
