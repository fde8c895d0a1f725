import { existsSync, readFileSync } from "node:fs";

/** What came of one suite on one database. */
export type Outcome = { suite: string; database: string; passed: number; failed: number; skipped: number; seconds: number; problem?: string };

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
};

type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number; skipped: number }; errors: unknown[] };

export type Counts = Pick<Outcome, "passed" | "failed" | "skipped" | "problem">;

/**
 * Counts what a runner reported. Whatever keeps the counts from being the whole truth is a failure of its own: a file that could not be
 * loaded, a run without a test, a runner that ended badly although every test passed, or left no report.
 */
export function countReport(kind: "vitest" | "playwright", file: string, exitCode: number): Counts {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0, problem: `the runner ended with ${exitCode} and left no report` };
  const report = JSON.parse(readFileSync(file, "utf8"));
  const counts = kind === "vitest" ? countVitest(report) : countPlaywright(report);
  if (counts.passed + counts.failed + counts.skipped === 0) return { ...counts, failed: 1, problem: "no test ran" };
  if (exitCode !== 0 && counts.failed === 0) return { ...counts, failed: 1, problem: `the runner ended with ${exitCode} although no test failed` };
  return counts;
}

function countVitest(report: VitestReport): Counts {
  const unloadable = report.testResults.filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable,
    skipped: report.numPendingTests + report.numTodoTests,
    ...(unloadable > 0 && { problem: `${unloadable} files could not be loaded` }),
  };
}

function countPlaywright({ stats, errors }: PlaywrightReport): Counts {
  const outside = errors.length > 0 && stats.unexpected === 0 ? 1 : 0;
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + outside,
    skipped: stats.skipped,
    ...(outside > 0 && { problem: "Playwright failed outside of any test" }),
  };
}

/** The table that a run ends with. */
export function outcomeTable(outcomes: Outcome[]): string {
  const rows = outcomes.map(({ suite, database, passed, failed, skipped, seconds, problem }) => [
    suite,
    database,
    passed,
    failed,
    skipped,
    `${seconds} s`,
    problem ?? "",
  ]);
  return table([["suite", "database", "passed", "failed", "skipped", "time", ""], ...rows]);
}

/** `N passed, N failed`, and how many were skipped if any were. */
export function totalLine(outcomes: Counts[]): string {
  const sum = (of: (outcome: Counts) => number) => outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const skipped = sum((outcome) => outcome.skipped);
  return `${sum((outcome) => outcome.passed)} passed, ${sum((outcome) => outcome.failed)} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** Rows in columns as wide as they need to be. */
export function table(rows: (string | number)[][]): string {
  const widths = rows.reduce<number[]>((known, row) => row.map((cell, column) => Math.max(known[column] ?? 0, String(cell).length)), []);
  return rows
    .map((row) =>
      row
        .map((cell, column) => String(cell).padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
