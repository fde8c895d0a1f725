import { defineConfig } from "vitest/config";

/** The rules, on one database per run: PostgreSQL where TEST_DATABASE_URL is set, else the embedded one. A browser's view of things is in `e2e/`. */
export default defineConfig({
  test: {
    name: "rules",
    include: ["{lib,server,emails}/**/*.test.{ts,tsx}"],
    globalSetup: "lib/testing/template.ts",
    setupFiles: "lib/testing/setup.ts",
    // A process per file: what Heard keeps once per process is then fresh in each.
    pool: "forks",
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
