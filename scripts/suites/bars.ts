import { existsSync, globSync, readFileSync } from "node:fs";
import type { BarFigure } from "#lib/testing/bars";
import { table } from "./reports.ts";

type Database = BarFigure["database"];

/** A bar that is to be measured, on a database or, where that is null, on any. */
export type DueBar = { bar: string; database: Database | null };

/** Of a server that is away, slow or shared by several. */
const ON_POSTGRESQL_ALONE = ["C15", "F1", "F2", "F3", "F15", "O15"];
/** Of a data directory that one process has. */
const ON_EMBEDDED_ALONE = ["D2", "D3", "D10"];

/** The test files below `patterns` that report bars, or do more at full scale. */
export function filesWithBars(patterns: string[]): string[] {
  return patterns.flatMap((pattern) => globSync(pattern)).filter((path) => /\b(reportBar|scale)\(/.test(readFileSync(path, "utf8")));
}

/** The bars reported into `file`, in the order of their names. */
export function readBars(file: string): BarFigure[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line): BarFigure => JSON.parse(line)).sort((one, other) => byName(one.bar, other.bar));
}

/** The bars that the test files at `paths` name: as `bar: "C1"`, in a list of several, or to a helper of theirs. */
export function barsIn(paths: string[]): string[] {
  const named = paths.flatMap((path) => readFileSync(path, "utf8").match(/(?<=")[A-Z]\d{1,2}(?=")/g) ?? []);
  return [...new Set(named)].sort(byName);
}

/** `bars`, each on every one of `databases`, or on the only one that can be asked for it. */
export function dueBars(bars: string[], databases: DueBar["database"][]): DueBar[] {
  return bars.flatMap((bar) => databasesFor(bar, databases).map((database) => ({ bar, database })));
}

function databasesFor(bar: string, databases: DueBar["database"][]): DueBar["database"][] {
  if (ON_POSTGRESQL_ALONE.includes(bar)) return ["postgresql"];
  return ON_EMBEDDED_ALONE.includes(bar) ? ["embedded"] : databases;
}

/** Those of `due` of which there is no figure, as where their test was skipped, each once. */
export function unmeasuredBars(figures: BarFigure[], due: DueBar[]): DueBar[] {
  const missing = due.filter(({ bar, database }) => !figures.some((figure) => figure.bar === bar && figure.database === (database ?? figure.database)));
  return missing.filter((one, index) => missing.findIndex((other) => other.bar === one.bar && other.database === one.database) === index);
}

/** The figures in columns, each with what it measures and whether it meets its bar; first those that do not, then what nobody measured. */
export function barTable(figures: BarFigure[], due: DueBar[]): string {
  const unmeasured = unmeasuredBars(figures, due).map(({ bar, database }) => [bar, database ?? "-", "NOT MEASURED", "-", "-"]);
  const rowsOf = (isMet: boolean) =>
    figures.filter(({ ok }) => ok === isMet).map(({ bar, measure, figure, database, ok }) => [bar, database, ok ? "met" : "MISSED", figure, measure]);
  return table([["bar", "database", "", "figure", "measure"], ...rowsOf(false), ...unmeasured, ...rowsOf(true)]);
}

/** Z9 before Z11. */
function byName(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
