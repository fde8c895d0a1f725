import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { asWriteError, BootstrapError } from "./fail.mjs";
import { withLock } from "./lock.mjs";
import { findNode } from "./node.mjs";
import { withProgress } from "./progress.mjs";
import { passSignalsOn, runInForeground, runQuietly, Stopped } from "./run.mjs";
import { build, generate, install } from "./steps.mjs";

/** The folder of Heard's package.json. */
const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/**
 * Installs, generates and, if asked to, builds what is not up to date, then runs a script on Heard's own Node and ends this process as that ended.
 * @param {string[]} script its path from the root, and its arguments
 * @param {{ build?: boolean, env?: NodeJS.ProcessEnv }} [options]
 */
export async function prepareAndRun(script, { build: mustBuild = false, env = {} } = {}) {
  passSignalsOn();
  try {
    await prepare(mustBuild ? [install, generate, build] : [install, generate]);
    const bin = join(root, "node_modules/.bin");
    const runtime = { ...process.env, ...env, NEXT_TELEMETRY_DISABLED: "1", PATH: `${bin}:${process.env.PATH ?? ""}` };
    process.exitCode = await runInForeground(findNode(root), ["--env-file-if-exists=.env", ...script], { cwd: root, env: runtime });
  } catch (error) {
    process.exitCode = explain(error);
  }
}

/** Builds if the sources changed. For scripts that run after an install. */
export async function prepareBuild() {
  await prepare([build]);
}

/** @param {import("./steps.mjs").Step[]} steps */
async function prepare(steps) {
  if (steps.every((step) => step.isDone(root))) return;
  const folder = join(root, ".heard");
  const onWait = () => process.stderr.write("… Waiting for another start that prepares this checkout\n");
  try {
    await withLock(join(folder, "prepare.lock"), { onWait }, () => runSteps(steps));
  } catch (error) {
    throw asWriteError(error, root);
  }
}

/** @param {import("./steps.mjs").Step[]} steps */
async function runSteps(steps) {
  for (const step of steps) {
    if (step === build) await checkEnvironment();
    if (!step.isDone(root)) await withProgress(step.label, () => step.run(root));
  }
}

/** Wrong settings are said before the slow build, not after it. */
async function checkEnvironment() {
  const result = await runQuietly(findNode(root), ["--env-file-if-exists=.env", "scripts/check-env.ts"], { cwd: root });
  if (result.code !== 0) throw new BootstrapError(result.output.trim());
}

/**
 * @param {unknown} error
 * @returns {number} the exit code
 */
function explain(error) {
  if (error instanceof Stopped) return 0;
  if (!(error instanceof BootstrapError)) throw error;
  if (error.details) process.stderr.write(`${error.details.trimEnd()}\n\n`);
  process.stderr.write(`${error.message}\n`);
  return 1;
}
