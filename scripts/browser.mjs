import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { BootstrapError } from "./bootstrap/fail.mjs";
import { withProgress } from "./bootstrap/progress.mjs";
import { runQuietly } from "./bootstrap/run.mjs";

// The headless shell draws no window, and so does the same with two thirds of the work.
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const MAC_APPS = ["/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];
// Far from the network Playwright tries for many minutes.
const DOWNLOAD_LIMIT_MS = 180_000;

/**
 * A Chromium or Chrome of this machine that starts; CHROMIUM_PATH goes before all others.
 * @returns {string | undefined} a path or a name on the PATH; undefined if there is none
 */
export function findBrowser() {
  const candidates = process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : [...NAMES, ...MAC_APPS];
  return candidates.map(locate).find((path) => path !== undefined && starts(path));
}

/**
 * Finds a browser, or installs one: Playwright's own, else Debian's.
 * @returns {Promise<string>}
 * @throws BootstrapError where neither can be had
 */
export async function ensureBrowser() {
  return findBrowser() ?? (await findPlaywrights()) ?? (await installPlaywrights()) ?? (await installDebians()) ?? fail();
}

/** @param {string} candidate */
function locate(candidate) {
  if (candidate.includes("/")) return existsSync(candidate) ? candidate : undefined;
  return (process.env.PATH ?? "")
    .split(":")
    .map((folder) => `${folder}/${candidate}`)
    .find((path) => existsSync(path));
}

/** Some systems carry a `chromium-browser` that only tells how to install it. @param {string} path */
function starts(path) {
  return spawnSync(path, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0;
}

async function findPlaywrights() {
  const { chromium } = await import("playwright");
  const path = chromium.executablePath();
  return existsSync(path) && starts(path) ? path : undefined;
}

async function installPlaywrights() {
  const args = ["node_modules/playwright/cli.js", "install", "chromium"];
  const options = { cwd: process.cwd(), limitMs: DOWNLOAD_LIMIT_MS };
  const { code } = await withProgress("Getting Playwright's Chromium", () => runQuietly(process.execPath, args, options));
  return code === 0 ? findPlaywrights() : undefined;
}

async function installDebians() {
  if (process.getuid?.() !== 0 || locate("apt-get") === undefined) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = "apt-get install -y --no-install-recommends chromium-headless-shell";
  const script = `${install} || { apt-get update && ${install}; } || apt-get install -y --no-install-recommends chromium`;
  await withProgress("Installing the chromium package", () => runQuietly("sh", ["-c", script], { cwd: process.cwd(), env }));
  return findBrowser();
}

/** @returns {never} */
function fail() {
  throw new BootstrapError(
    process.env.CHROMIUM_PATH
      ? `CHROMIUM_PATH=${process.env.CHROMIUM_PATH} does not start. Set it to a Chromium or Chrome, or leave it empty.`
      : "The browser tests need a Chromium or Chrome, and none could be installed. Install one, or set CHROMIUM_PATH to it.",
  );
}
