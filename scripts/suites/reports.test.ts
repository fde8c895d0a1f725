import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { countReport, outcomeTable, totalLine } from "./reports.ts";

const directory = mkdtempSync(join(tmpdir(), "heard-reports-test-"));
afterAll(() => rmSync(directory, { recursive: true }));

function report(content: object): string {
  const file = join(directory, `${crypto.randomUUID()}.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const vitest = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ status: "passed", assertionResults: [{}, {}, {}] }],
};
const playwright = { stats: { expected: 2, unexpected: 0, flaky: 1, skipped: 0 }, errors: [] };

test("what passed, failed and was skipped is counted", () => {
  expect(countReport("vitest", report({ ...vitest, numFailedTests: 2, numPendingTests: 1 }), 1)).toEqual({ passed: 3, failed: 2, skipped: 1 });
  expect(countReport("playwright", report(playwright), 0)).toEqual({ passed: 3, failed: 0, skipped: 0 });
});

test("a suite without a test has failed", () => {
  expect(countReport("vitest", report({ ...vitest, numPassedTests: 0, testResults: [] }), 0)).toMatchObject({ failed: 1, problem: "no test ran" });
  expect(countReport("playwright", report({ ...playwright, stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 } }), 0)).toMatchObject({ failed: 1 });
});

test("a file that could not be loaded has failed", () => {
  const unloadable = { status: "failed", assertionResults: [] };

  expect(countReport("vitest", report({ ...vitest, testResults: [...vitest.testResults, unloadable] }), 1)).toMatchObject({ passed: 3, failed: 1 });
});

test("a runner that ends badly although all passed has failed, and so has one that leaves no report", () => {
  expect(countReport("vitest", report(vitest), 1)).toMatchObject({ passed: 3, failed: 1 });
  expect(countReport("playwright", report({ ...playwright, errors: [{}] }), 1)).toMatchObject({ failed: 1 });
  expect(countReport("vitest", join(directory, "missing.json"), 137)).toMatchObject({ passed: 0, failed: 1 });
});

test("the last line adds up all suites, and tells of skipped tests", () => {
  const one = { suite: "rules", database: "embedded", passed: 3, failed: 0, skipped: 0, seconds: 2 };

  expect(totalLine([one, { ...one, passed: 4, failed: 1 }])).toBe("7 passed, 1 failed");
  expect(totalLine([{ ...one, skipped: 2 }])).toBe("3 passed, 0 failed, 2 skipped");
  expect(outcomeTable([one])).toContain("rules  embedded  3");
});
