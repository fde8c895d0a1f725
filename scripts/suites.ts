import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptySettings } from "#lib/testing/settings";
import { readArguments } from "./arguments.ts";
import { BootstrapError } from "./bootstrap/fail.mjs";
import { prepareBuild } from "./bootstrap/prepare.mjs";
import { passSignalsOn, runInForeground, Stopped, throwIfStopped } from "./bootstrap/run.mjs";
import { compiledCode } from "./bootstrap/steps.mjs";
import { ensureBrowser } from "./browser.mjs";
import { barsIn, barTable, type DueBar, dueBars, filesWithBars, readBars, unmeasuredBars } from "./suites/bars.ts";
import { type Counts, countReport, failureList, NOTHING_RAN, type Outcome, outcomeTable, totalLine } from "./suites/reports.ts";

type Database = "embedded" | "postgresql";

type Suite = { name: string; runner: "vitest" | "playwright"; files: string[]; needsBuild: boolean; needsDatabase: boolean };

const { values: options } = readArguments({
  options: {
    only: { type: "string", multiple: true },
    database: { type: "string" },
    prove: { type: "boolean", default: false },
    /** A file to write the total line to, for scripts. */
    summary: { type: "string" },
  },
});

/** In the order of what fails most and fastest. What a page looks like no database decides, nor what HTTP says: that is told on one, the latter at full scale on both. */
const SUITES: Suite[] = [
  { name: "rules", runner: "vitest", files: ["{lib,server,components,emails,app}/**/*.test.{ts,tsx}"], needsBuild: false, needsDatabase: true },
  { name: "scripts", runner: "vitest", files: ["{front,scripts}/**/*.test.ts"], needsBuild: false, needsDatabase: false },
  { name: "http", runner: "vitest", files: ["e2e/http/**/*.test.ts"], needsBuild: true, needsDatabase: options.prove },
  { name: "api", runner: "vitest", files: ["e2e/{api,process}/**/*.test.ts"], needsBuild: true, needsDatabase: true },
  { name: "browser", runner: "playwright", files: ["e2e/*.spec.ts"], needsBuild: true, needsDatabase: true },
  { name: "looks", runner: "playwright", files: ["e2e/looks/*.spec.ts"], needsBuild: true, needsDatabase: false },
];

const POSTGRESQL_NOT_TESTED = `
************************************************************************************
  POSTGRESQL WAS NOT TESTED. Set TEST_DATABASE_URL to a PostgreSQL in which the
  tests may create databases, such as postgresql://postgres@127.0.0.1:5432/postgres
************************************************************************************
`;

/** `npm test`: every suite on every database there is. `npm run prove`: only the files that report bars, at full scale. */
async function runSuites(reports: string): Promise<number> {
  const server = process.env.TEST_DATABASE_URL;
  const databases = (server ? ["embedded", "postgresql"] : ["embedded"]).filter((name) => !options.database || name === options.database) as Database[];
  if (databases.length === 0)
    throw new BootstrapError(`There is no database "${options.database}" to test on: it is embedded, or, with TEST_DATABASE_URL, postgresql.`);
  const suites = wantedSuites();
  const outcomes: Outcome[] = [];
  for (const [index, database] of databases.entries()) {
    const isFirst = index === 0;
    for (const suite of suites) {
      if (suite.needsDatabase || isFirst) outcomes.push(await runSuite(suite, { database, isFirst }, reports));
    }
  }
  return conclude(outcomes, {
    reports,
    due: options.prove ? suites.flatMap(({ files, needsDatabase }) => dueBars(barsIn(files), needsDatabase ? databases : [null])) : [],
    isPostgresTested: databases.includes("postgresql"),
  });
}

function wantedSuites(): Suite[] {
  const names = SUITES.map(({ name }) => name);
  const unknown = options.only?.find((name) => !names.includes(name));
  if (unknown) throw new BootstrapError(`There is no suite "${unknown}": it is one of ${names.join(", ")}.`);
  const wanted = SUITES.filter(({ name }) => options.only?.includes(name) ?? true);
  return options.prove ? wanted.map((suite) => ({ ...suite, files: filesWithBars(suite.files) })).filter(({ files }) => files.length > 0) : wanted;
}

/** `isFirst`: no other database was told before what none of them decides. */
type Run = { database: Database; isFirst: boolean };

async function runSuite(suite: Suite, run: Run, reports: string): Promise<Outcome> {
  const { database } = run;
  const { name, runner, needsDatabase } = suite;
  process.stdout.write(`\n── ${name}${needsDatabase ? ` on ${database}` : ""} ──\n`);
  const file = join(reports, `${name}-${database}.json`);
  const startedAt = Date.now();
  const counts = await prepareSuite(suite)
    .then(async (settings) => {
      const env = { ...process.env, ...emptySettings(), ...suiteSettings(run, file), ...settings };
      const exitCode = await runInForeground(process.execPath, runnerArgs(suite, file), { cwd: process.cwd(), env, asGroup: true });
      throwIfStopped();
      return countReport(runner, file, exitCode);
    })
    .catch(notPrepared);
  return { suite: name, database: needsDatabase ? database : "-", ...counts, seconds: Math.round((Date.now() - startedAt) / 1000) };
}

let build: Promise<void> | undefined;

/** Builds, once, and finds a browser, where the suite needs them; what it returns the runner must be told. */
async function prepareSuite({ runner, needsBuild }: Suite): Promise<Record<string, string>> {
  if (needsBuild) await (build ??= prepareBuild());
  return runner === "playwright" ? { CHROMIUM_PATH: await ensureBrowser() } : {};
}

function notPrepared(error: unknown): Counts {
  if (!(error instanceof BootstrapError)) throw error;
  process.stderr.write(`${error.details}\n${error.message}\n`);
  return { ...NOTHING_RAN, problem: error.message };
}

function suiteSettings({ database, isFirst }: Run, file: string) {
  const server = database === "postgresql" ? (process.env.TEST_DATABASE_URL ?? "") : "";
  // Hundreds of processes load the same files, and compile them once. What is measured at full scale starts as `npm start` does.
  const compiled = options.prove ? compiledCode(process.cwd()) : join(file, "../compiled");
  const scale = { NODE_COMPILE_CACHE: compiled, ...(options.prove && { PROVE: "1", HEARD_BARS_FILE: join(file, "../bars.jsonl") }) };
  const told = { TOLD_ALREADY: isFirst || options.prove ? "" : "1" };
  return { NODE_ENV: "test" as const, TEST_DATABASE_URL: server, HEARD_REPORT_FILE: file, ...told, ...scale };
}

function runnerArgs({ name, runner, files }: Suite, file: string): string[] {
  if (runner === "playwright") return ["node_modules/@playwright/test/cli.js", "test", ...files.flatMap((pattern) => globSync(pattern))];
  const chosen = options.prove ? files : [];
  return [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--project",
    name,
    "--passWithNoTests",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
    ...chosen,
  ];
}

function conclude(outcomes: Outcome[], { reports, due, isPostgresTested }: { reports: string; due: DueBar[]; isPostgresTested: boolean }): number {
  const figures = readBars(join(reports, "bars.jsonl"));
  if (options.prove) process.stdout.write(`\n${barTable(figures, due)}\n`);
  process.stdout.write(`\n${outcomeTable(outcomes)}\n${failureList(outcomes)}`);
  if (options.summary) writeFileSync(options.summary, `${totalLine(outcomes)}\n`);
  process.stdout.write(`${totalLine(outcomes)}\n`);
  if (!isPostgresTested) process.stdout.write(POSTGRESQL_NOT_TESTED);
  const isProven = figures.every(({ ok }) => ok) && unmeasuredBars(figures, due).length === 0;
  const isGood = outcomes.length > 0 && outcomes.every(({ failed }) => failed === 0) && isProven;
  return isGood ? 0 : 1;
}

passSignalsOn();
const reports = mkdtempSync(join(tmpdir(), "heard-reports-"));
try {
  process.exitCode = await runSuites(reports);
} catch (error) {
  if (!(error instanceof BootstrapError) && !(error instanceof Stopped)) throw error;
  if (error instanceof BootstrapError && error.details) process.stderr.write(`${error.details}\n`);
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof Stopped ? error.code : 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}
