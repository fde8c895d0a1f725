import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { countReport, failureList, outcomeTable, totalLine } from "./reports.ts";
import { keepStrayError } from "./stray-errors.ts";

const directory = mkdtempSync(join(tmpdir(), "heard-reports-test-"));
afterAll(() => rmSync(directory, { recursive: true }));

function report(content: object): string {
  const file = join(directory, `${crypto.randomUUID()}.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function vitest(statuses: string[]) {
  return {
    name: "/a/b.test.ts",
    status: statuses.includes("failed") ? "failed" : "passed",
    assertionResults: statuses.map((status, index) => ({ fullName: `test ${index}`, status })),
  };
}

function playwright(statuses: string[]) {
  return { suites: [{ specs: [], suites: [{ specs: statuses.map((status, index) => ({ id: `id-${index}`, tests: [{ status }] })) }] }], errors: [] };
}

test("what passed, failed and was skipped is counted", () => {
  expect(countReport("vitest", report({ testResults: [vitest(["passed", "failed", "pending", "passed"])] }), 1)).toMatchObject({
    passed: 2,
    failed: 1,
    skipped: ["/a/b.test.ts test 2"],
  });
  expect(countReport("playwright", report(playwright(["expected", "flaky", "unexpected", "skipped"])), 1)).toMatchObject({
    passed: 2,
    failed: 1,
    skipped: ["id-3"],
  });
});

test("what failed is told by name, with how its error begins", () => {
  const inVitest = { fullName: "adds up", status: "failed", failureMessages: ["\u001b[31mAssertionError: expected 1 to be 2\u001b[39m\n    at sums.test.ts"] };
  const inPlaywright = {
    id: "1",
    file: "boards.spec.ts",
    title: "a board moves",
    tests: [{ status: "unexpected", projectName: "with JavaScript", results: [{ error: { message: "Error: not there\nCall log:" } }] }],
  };
  const vitestCounts = countReport("vitest", report({ testResults: [{ name: "/a/lib/sums.test.ts", status: "failed", assertionResults: [inVitest] }] }), 1);
  const playwrightCounts = countReport("playwright", report({ specs: [inPlaywright] }), 1);

  expect(failureList([{ ...vitestCounts, suite: "rules", database: "embedded", seconds: 1 }])).toBe(
    "✗ rules on embedded: lib/sums.test.ts › adds up: AssertionError: expected 1 to be 2\n",
  );
  expect(failureList([{ ...playwrightCounts, suite: "browser", database: "embedded", seconds: 1 }])).toBe(
    "✗ browser on embedded: boards.spec.ts › a board moves › with JavaScript: Error: not there\n",
  );
});

test("a suite without a test that ran has failed", () => {
  expect(countReport("vitest", report({ testResults: [] }), 0)).toMatchObject({ failed: 1, problem: "no test ran" });
  expect(countReport("playwright", report(playwright(["skipped"])), 0)).toMatchObject({ failed: 1, problem: "no test ran" });
});

test("a file that could not be loaded has failed", () => {
  const unloadable = { name: "/a/c.test.ts", status: "failed", assertionResults: [] };

  expect(countReport("vitest", report({ testResults: [vitest(["passed"]), unloadable] }), 1)).toMatchObject({
    passed: 1,
    failed: 1,
    problem: "not loaded: a/c.test.ts",
  });
});

test("a runner that ends badly although all passed has failed, and so has one that leaves no report", () => {
  expect(countReport("vitest", report({ testResults: [vitest(["passed"])] }), 1)).toMatchObject({ passed: 1, failed: 1 });
  expect(countReport("playwright", report({ ...playwright(["expected"]), errors: [{}] }), 1)).toMatchObject({ passed: 1, failed: 1 });
  expect(countReport("vitest", join(directory, "missing.json"), 137)).toMatchObject({ passed: 0, failed: 1 });
});

test("why a runner ends badly although all passed is told: a hook that failed, and an error that no test had", () => {
  const file = report({});
  const keep = `import { keepStrayError } from "${resolve("scripts/suites/stray-errors.ts")}"; const onUnhandledError = (error) => keepStrayError("${file}", error);`;
  writeFileSync(join(directory, "vitest.config.mjs"), `${keep} export default { test: { globals: true, onUnhandledError } };`);
  const passes = "test('passes', () => {});";
  writeFileSync(join(directory, "hook.test.ts"), `${passes} afterAll(() => { throw new Error("not cleaned up"); });`);
  writeFileSync(join(directory, "stray.test.ts"), `${passes} void Promise.reject(new Error("nobody waited"));`);
  writeFileSync(join(directory, "killed.test.ts"), `${passes} afterAll(() => process.kill(process.pid, "SIGKILL"));`);

  const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "--root", directory, "--reporter=json", `--outputFile=${file}`]);

  const counts = countReport("vitest", file, status ?? 0);
  const told = failureList([{ ...counts, suite: "rules", database: "postgresql", seconds: 1 }]);
  expect(counts.failed).toBe(1);
  for (const words of [/hook\.test\.ts: not cleaned up/, /Error: nobody waited.*stray\.test\.ts/s, /SIGKILL .*killed\.test\.ts/]) expect(told).toMatch(words);
});

test("an error that no test had is told, and counts, beside whatever else went wrong", () => {
  for (const testResults of [[vitest(["passed", "failed"])], []]) {
    const file = report({ testResults });
    keepStrayError(file, new Error("Worker exited unexpectedly"));

    const counts = countReport("vitest", file, 1);
    expect(counts).toMatchObject({ failed: testResults.length + 1, problem: expect.stringContaining("Worker exited unexpectedly") });
  }
});

test("the total line adds up all suites, and tells of tests that ran on no database", () => {
  const embedded = { suite: "rules", database: "embedded", passed: 3, failed: 0, failures: [], skipped: ["a"], ran: ["b", "c", "d"], seconds: 2 };
  const postgresql = { ...embedded, database: "postgresql", failed: 1, skipped: [], ran: ["a", "b", "c", "d"] };

  expect(totalLine([embedded])).toBe("3 passed, 0 failed, 1 skipped");
  expect(totalLine([embedded, postgresql])).toBe("6 passed, 1 failed");
  expect(outcomeTable([embedded])).toMatch(/rules {2}embedded {2}3 +0 +1 +2 s/);
});
