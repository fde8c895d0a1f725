import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { asWriteError, BootstrapError } from "./fail.mjs";
import { withLock } from "./lock.mjs";
import { findNode } from "./node.mjs";
import { withProgress } from "./progress.mjs";
import { passSignalsOn, runInForeground, runQuietly, Stopped } from "./run.mjs";
import { build, compiledCode, generate, install } from "./steps.mjs";

/** The folder of Heard's package.json. */
const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** What ends by SIGKILL cannot say so itself: 128 and the signal's number. */
const KILLED = 137;

/**
 * Installs, generates and, if asked to, builds what is not up to date, then runs a script on Heard's own Node and ends this process as that ended.
 * @param {string[]} script its path from the root, and its arguments
 * @param {{ build?: boolean, serves?: boolean, env?: Record<string, string> }} [options] `serves`: being told to stop is how it ends, with 0; any other script has then not done what it was to do
 */
export async function prepareAndRun(script, { build: mustBuild = false, serves = false, env = {} } = {}) {
  passSignalsOn();
  forgetMailbox();
  try {
    await prepare([install]);
    const steps = mustBuild ? [generate, build] : [generate];
    if (!areDone(steps)) {
      if (mustBuild) await checkSettings();
      await prepare(steps);
    }
    const bin = join(root, "node_modules/.bin");
    const compiled = mustBuild ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || compiledCode(root) } : {};
    const runtime = { ...process.env, ...compiled, ...env, NEXT_TELEMETRY_DISABLED: "1", PATH: `${bin}:${process.env.PATH ?? ""}` };
    process.exitCode = await runInForeground(findNode(root), [...envFile(), ...script], { cwd: root, env: runtime });
    if (process.exitCode === KILLED) process.stderr.write("It was killed: by the system, perhaps for want of memory, or because it did not stop in time.\n");
  } catch (error) {
    process.exitCode = error instanceof Stopped ? (serves ? 0 : error.code) : explain(error);
  }
}

/**
 * Builds if the sources changed. For scripts that run after an install.
 * @throws BootstrapError if it fails
 */
export async function prepareBuild() {
  await prepare([build]);
}

/** Wrong settings are said before all that comes after the install, also while another start is at it; where nothing is to be made the server says them, soon enough. */
async function checkSettings() {
  const result = await runQuietly(findNode(root), [...envFile(), "scripts/check-env.ts"], { cwd: root });
  if (result.code !== 0) throw new BootstrapError(result.output.trim());
}

/** @param {import("./steps.mjs").Step[]} steps */
async function prepare(steps) {
  if (areDone(steps)) return;
  const onWait = () => process.stderr.write("… Waiting for another start that prepares this checkout\n");
  try {
    await withLock(join(root, ".heard/prepare.lock"), { onWait }, () => runSteps(steps));
  } catch (error) {
    throw asWriteError(error, root);
  }
}

/** @param {import("./steps.mjs").Step[]} steps */
function areDone(steps) {
  return steps.every((step) => step.isDone(root));
}

/** @param {import("./steps.mjs").Step[]} steps */
async function runSteps(steps) {
  for (const step of steps) {
    if (!step.isDone(root)) await withProgress(step.label, () => step.run(root));
  }
}

/** Many login shells set MAIL to the path of the user's mailbox (POSIX, mailx). It is none of Heard's, and would hide the one in `.env`. */
function forgetMailbox() {
  if (process.env.MAIL?.includes("/")) delete process.env.MAIL;
}

/**
 * Node's own flag for a file that may be missing prints a line about it, and calls one that may not be read missing.
 * @throws BootstrapError if it is there and cannot be read as text
 */
function envFile() {
  const path = join(root, ".env");
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "ENOENT") return [];
    throw new BootstrapError(`The settings in ${path} cannot be read (${code}). Make it a file that belongs to the user who runs Heard, then try again.`);
  }
  // Node would take a mark for a part of the first name, and find no name that Heard knows in UTF-16.
  if (/^\uFEFF|\0/.test(text)) throw new BootstrapError(`The settings in ${path} cannot be read: save it as UTF-8 without a byte order mark, then try again.`);
  return ["--env-file=.env"];
}

/**
 * @param {unknown} error
 * @returns {number} the exit code
 */
function explain(error) {
  if (!(error instanceof BootstrapError)) throw error;
  if (error.details) process.stderr.write(`${error.details.trimEnd()}\n\n`);
  process.stderr.write(`${error.message}\n`);
  return 1;
}
