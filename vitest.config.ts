import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { NODE_FLAGS } from "./lib/testing/node-flags.ts";
import { isToldHere, scale } from "./lib/testing/scale.ts";
import { keepStrayError } from "./scripts/suites/stray-errors.ts";

// A process per file: what Heard keeps once per process is then fresh in each. The limits end what hangs; on a busy machine much takes five times as long.
const shared = {
  pool: "forks",
  execArgv: NODE_FLAGS,
  testTimeout: scale(60_000, 900_000),
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
} as const;

// What is measured at full scale is measured with nothing beside it.
const WORKERS = scale(Math.min(4, availableParallelism()), 1);

const RULES = "{lib,server,components,emails,app}/**/*.test.{ts,tsx}";

/** Whether the test file at `path` does anything with a database. */
function asksForDatabase(path: string): boolean {
  return /\b(useDatabase|databaseKind|TEST_DATABASE_URL|DATABASE_URL)\b/.test(readFileSync(path, "utf8"));
}

/** On a built and really started server, reached over HTTP. */
const overHttp = {
  ...shared,
  globalSetup: ["lib/testing/template.ts", "e2e/api/shared-site.ts"],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  maxWorkers: WORKERS,
};

/** The suites that need no browser. What a person sees in one is in `e2e/*.spec.ts`. */
export default defineConfig({
  test: {
    onUnhandledError: (error) => keepStrayError(process.env.HEARD_REPORT_FILE, error),
    projects: [
      {
        // On one database per run: PostgreSQL where TEST_DATABASE_URL is set, else the embedded one.
        test: {
          ...shared,
          name: "rules",
          maxWorkers: WORKERS,
          include: isToldHere ? [RULES] : globSync(RULES).filter(asksForDatabase),
          globalSetup: "lib/testing/template.ts",
          setupFiles: "lib/testing/setup.ts",
        },
      },
      {
        // What the README's commands do, the server in front of Next, the house rules, licenses and planted faults. Needs no database.
        test: { ...shared, name: "scripts", maxWorkers: WORKERS, include: ["{front,scripts}/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
      },
      // The API as programs meet it, and the process as operators do.
      { test: { ...overHttp, name: "api", include: ["e2e/{api,process}/**/*.test.ts"] } },
      // What is said over HTTP whatever the database: heads, bodies, routes.
      { test: { ...overHttp, name: "http", include: ["e2e/http/**/*.test.ts"] } },
    ],
  },
});
