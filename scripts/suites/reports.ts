import { existsSync, readFileSync } from "node:fs";

/** What came of one suite on one database. */
export type Outcome = Counts & { suite: string; database: string; seconds: number };

export type Counts = {
  passed: number;
  failed: number;
  /** The names of tests that did not run: some are about one database only. */
  skipped: string[];
  ran: string[];
  /** What else went wrong, counted as a failure. */
  problem?: string;
};

type VitestReport = { testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[] };

type PlaywrightSuite = { suites?: PlaywrightSuite[]; specs?: { id: string; tests: { status: string }[] }[] };

type Result = { name: string; status: "passed" | "failed" | "skipped" };

/**
 * Counts what a runner reported. Whatever keeps the counts from being the whole truth is a failure of its own: a file that could not be
 * loaded, a run without a test, a runner that ended badly although every test passed, or left no report.
 */
export function countReport(kind: "vitest" | "playwright", file: string, exitCode: number): Counts {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: [], ran: [], problem: `the runner ended with ${exitCode} and left no report` };
  const report = JSON.parse(readFileSync(file, "utf8"));
  const results = kind === "vitest" ? vitestResults(report) : playwrightResults(report);
  const named = (status: Result["status"]) => results.filter((result) => result.status === status).map(({ name }) => name);
  const counts = { passed: named("passed").length, failed: named("failed").length, skipped: named("skipped"), ran: [...named("passed"), ...named("failed")] };
  const problem = problemOf(kind, report, { exitCode, hasFailed: counts.failed > 0, isEmpty: counts.ran.length === 0 });
  return problem ? { ...counts, failed: counts.failed + 1, problem } : counts;
}

function problemOf(
  kind: string,
  report: unknown,
  { exitCode, hasFailed, isEmpty }: { exitCode: number; hasFailed: boolean; isEmpty: boolean },
): string | undefined {
  const unloadable =
    kind === "vitest"
      ? (report as VitestReport).testResults.filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0)
      : [];
  if (unloadable.length > 0) return `not loaded: ${unloadable.map(({ name }) => name.split("/").slice(-2).join("/")).join(", ")}`;
  if (isEmpty) return "no test ran";
  return exitCode !== 0 && !hasFailed ? `the runner ended with ${exitCode} although no test failed` : undefined;
}

function vitestResults({ testResults }: VitestReport): Result[] {
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({ name: `${file} ${fullName}`, status: status === "passed" || status === "failed" ? status : "skipped" })),
  );
}

function playwrightResults({ suites = [], specs = [] }: PlaywrightSuite): Result[] {
  const statuses = { expected: "passed", flaky: "passed", unexpected: "failed" } as Record<string, Result["status"]>;
  const here = specs.flatMap(({ id, tests }) => tests.map(({ status }) => ({ name: id, status: statuses[status] ?? "skipped" })));
  return [...here, ...suites.flatMap(playwrightResults)];
}

/** The table that a run ends with. */
export function outcomeTable(outcomes: Outcome[]): string {
  const rows = outcomes.map(({ suite, database, passed, failed, skipped, seconds, problem }) => [
    suite,
    database,
    passed,
    failed,
    skipped.length,
    `${seconds} s`,
    problem ?? "",
  ]);
  return table([["suite", "database", "passed", "failed", "skipped", "time", ""], ...rows]);
}

/** `N passed, N failed`; and how many were skipped, if any ran on no database at all. */
export function totalLine(outcomes: Counts[]): string {
  const sum = (of: (outcome: Counts) => number) => outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const ran = new Set(outcomes.flatMap((outcome) => outcome.ran));
  const skipped = new Set(outcomes.flatMap((outcome) => outcome.skipped).filter((name) => !ran.has(name)));
  return `${sum((outcome) => outcome.passed)} passed, ${sum((outcome) => outcome.failed)} failed${skipped.size > 0 ? `, ${skipped.size} skipped` : ""}`;
}

/** Rows in columns as wide as they need to be. */
export function table(rows: (string | number)[][]): string {
  const widths = rows.reduce<number[]>((known, row) => row.map((cell, column) => Math.max(known[column] ?? 0, String(cell).length)), []);
  const lines = rows.map((row) => row.map((cell, column) => String(cell).padEnd(widths[column] ?? 0)).join("  "));
  return lines.map((line) => line.trimEnd()).join("\n");
}
