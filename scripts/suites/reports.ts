import { existsSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { strayErrorsFile } from "./stray-errors.ts";

/** What came of one suite on one database. */
export type Outcome = Counts & { suite: string; database: string; seconds: number };

export type Counts = {
  passed: number;
  failed: number;
  /** Which tests failed, and how each one's first error begins. */
  failures: string[];
  /** The names of tests that did not run: some are about one database only. */
  skipped: string[];
  ran: string[];
  /** What else went wrong, counted as a failure. */
  problem?: string;
};

type VitestReport = { testResults: { name: string; status: string; message?: string; assertionResults: VitestAssertion[] }[] };

type VitestAssertion = { fullName: string; status: string; failureMessages?: string[] };

type PlaywrightSuite = { suites?: PlaywrightSuite[]; specs?: PlaywrightSpec[] };

type PlaywrightSpec = {
  id: string;
  file?: string;
  title?: string;
  tests: { status: string; projectName?: string; results?: { error?: { message?: string } }[] }[];
};

type Result = { name: string; status: "passed" | "failed" | "skipped"; failure?: string };

/** The counts of a suite that never got to its tests, which is a failure. */
export const NOTHING_RAN: Counts = { passed: 0, failed: 1, failures: [], skipped: [], ran: [] };

/**
 * Counts what a runner reported. Whatever keeps the counts from being the whole truth is a failure of its own: a file that could not be
 * loaded, a run without a test, a runner that ended badly although every test passed, or left no report, and an error that no test had.
 */
export function countReport(kind: "vitest" | "playwright", file: string, exitCode: number): Counts {
  if (!existsSync(file)) return { ...NOTHING_RAN, problem: `the runner ended with ${exitCode} and left no report` };
  const report = JSON.parse(readFileSync(file, "utf8"));
  const results = kind === "vitest" ? vitestResults(report) : playwrightResults(report);
  const named = (status: Result["status"]) => results.filter((result) => result.status === status).map(({ name }) => name);
  const counts = {
    passed: named("passed").length,
    failed: named("failed").length,
    failures: results.flatMap(({ failure }) => failure ?? []),
    skipped: named("skipped"),
    ran: [...named("passed"), ...named("failed")],
  };
  const problem = problemOf(kind, report, { exitCode, hasFailed: counts.failed > 0, isEmpty: counts.ran.length === 0, strays: strayErrors(file) });
  return problem ? { ...counts, failed: counts.failed + 1, problem } : counts;
}

function problemOf(
  kind: string,
  report: unknown,
  { exitCode, hasFailed, isEmpty, strays }: { exitCode: number; hasFailed: boolean; isEmpty: boolean; strays: string },
): string | undefined {
  const failedFiles = kind === "vitest" ? (report as VitestReport).testResults.filter(({ status }) => status === "failed") : [];
  const unloadable = failedFiles.filter(({ assertionResults }) => assertionResults.length === 0);
  if (unloadable.length > 0) return told(`not loaded: ${unloadable.map(({ name }) => shortName(name)).join(", ")}`, strays);
  if (isEmpty) return told("no test ran", strays);
  if (hasFailed) return strays && told("errors that no test had", strays);
  if (exitCode === 0) return undefined;
  const outsideOfTests = failedFiles.map(({ name, message }) => `${shortName(name)}: ${message}`);
  return told(`the runner ended with ${exitCode} although no test failed`, ...outsideOfTests, strays);
}

function told(...lines: string[]): string {
  return lines.filter(Boolean).join("\n");
}

function strayErrors(report: string): string {
  const file = strayErrorsFile(report);
  return existsSync(file) ? stripVTControlCharacters(readFileSync(file, "utf8")).trim() : "";
}

function vitestResults({ testResults }: VitestReport): Result[] {
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages }) => ({
      name: `${file} ${fullName}`,
      status: status === "passed" || status === "failed" ? status : "skipped",
      failure: status === "failed" ? failureLine([shortName(file), fullName], failureMessages?.[0]) : undefined,
    })),
  );
}

function playwrightResults({ suites = [], specs = [] }: PlaywrightSuite): Result[] {
  const statuses = { expected: "passed", flaky: "passed", unexpected: "failed" } as Record<string, Result["status"]>;
  const here = specs.flatMap(({ id, file = "", title = "", tests }) =>
    tests.map(({ status, projectName = "", results }) => ({
      name: id,
      status: statuses[status] ?? "skipped",
      failure: status === "unexpected" ? failureLine([shortName(file), title, projectName], results?.[0]?.error?.message) : undefined,
    })),
  );
  return [...here, ...suites.flatMap(playwrightResults)];
}

function shortName(file: string): string {
  return file.split("/").slice(-2).join("/");
}

function failureLine(names: string[], message = ""): string {
  const [firstLine = ""] = stripVTControlCharacters(message).split("\n");
  return `${names.filter(Boolean).join(" › ")}: ${firstLine}`;
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
    problem?.split("\n")[0] ?? "",
  ]);
  return table([["suite", "database", "passed", "failed", "skipped", "time", ""], ...rows]);
}

/** What failed, each begun on a line of its own, for whoever sees no more than the end of a run; empty if none did. */
export function failureList(outcomes: Outcome[]): string {
  return outcomes
    .flatMap(({ suite, database, failures, problem }) =>
      [...failures, ...(problem ? [problem] : [])].map((failure) => `✗ ${suite}${database === "-" ? "" : ` on ${database}`}: ${failure}\n`),
    )
    .join("");
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
