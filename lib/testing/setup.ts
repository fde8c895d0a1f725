import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

// Runs before a test file is loaded, so before anything reads its settings: a data directory and a database name of its own.
// The database itself is made by `useDatabase`, for the files that ask for one.
const directory = mkdtempSync(join(tmpdir(), "heard-test-"));
process.env.DATA_DIR = directory;
process.env.DATABASE_URL = process.env.TEST_DATABASE_URL ? databaseUrl(process.env.TEST_DATABASE_URL) : "";
process.env.LOG_LEVEL ||= "silent";
// Tests try things more often than people do; those of the limits switch them on.
process.env.RATE_LIMITS = "off";

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function databaseUrl(server: string): string {
  const url = new URL(server);
  url.pathname = `/heard_test_${crypto.randomUUID().replaceAll("-", "")}`;
  return url.href;
}
