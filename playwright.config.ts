import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";
import { isToldHere, scale } from "./lib/testing/scale.ts";
import { findBrowser } from "./scripts/browser.mjs";

const QUIET_FLAGS = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-sync",
  "--no-pings",
  "--no-first-run",
];

const reportFile = process.env.HEARD_REPORT_FILE;

const WHATEVER_THE_DATABASE = [
  ...["accessibility", "forced-colors", "keyboard", "narrow-windows", "shortcuts", "slow-scripts", "state"],
  ...["addresses", "branding", "closed-doors", "deployment", "forms", "outside", "set-up-mistakes", "two-origins"],
];

/** What a person experiences (`e2e/*.spec.ts`), and how every page looks (`e2e/looks/`), in a real browser; `e2e/fixtures.ts` starts the servers. */
export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  testIgnore: isToldHere ? [] : WHATEVER_THE_DATABASE.map((name) => `e2e/${name}.spec.ts`),
  globalSetup: "./e2e/template.ts",
  outputDir: "test-results",
  forbidOnly: Boolean(process.env.CI),
  // Each worker starts a server of its own, and hashes passwords: more of them than cores only makes waits longer.
  // What is measured at full scale is measured with nothing beside it.
  workers: scale(Math.min(2, availableParallelism()), 1),
  timeout: 120_000,
  // The limits end what hangs; on a busy machine much takes five times as long.
  expect: { timeout: 30_000 },
  reporter: reportFile ? [["list"], ["json", { outputFile: reportFile }]] : [["list"]],
  use: {
    locale: "en-GB",
    timezoneId: "UTC",
    // Its recorder runs a script in every frame, also where scripts are forbidden, which the browser then reports. `--trace on` is for looking closer.
    trace: "off",
    screenshot: "only-on-failure",
    // Chromium's sandbox refuses to run as root, which containers often are.
    launchOptions: { executablePath: findBrowser(), chromiumSandbox: process.getuid?.() !== 0, args: QUIET_FLAGS },
  },
  projects: [
    { name: "with JavaScript" },
    // What a page without scripts does no database decides.
    ...(isToldHere ? [{ name: "without JavaScript", use: { javaScriptEnabled: false }, grepInvert: /@javascript/ }] : []),
  ],
});
