import { existsSync, globSync, readFileSync } from "node:fs";
import type { BarFigure } from "#lib/testing/bars";
import { table } from "./reports.ts";

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

/** Those of `bars` of which there is no figure, as where their test was skipped. */
export function unmeasuredBars(figures: BarFigure[], bars: string[]): string[] {
  return bars.filter((name) => !figures.some(({ bar }) => bar === name));
}

/** The figures in columns, each with what it measures and whether it meets its bar; first those that do not, then what nobody measured. */
export function barTable(figures: BarFigure[], bars: string[]): string {
  const unmeasured = unmeasuredBars(figures, bars).map((bar) => [bar, "-", "NOT MEASURED", "-", "-"]);
  const rowsOf = (isMet: boolean) =>
    figures.filter(({ ok }) => ok === isMet).map(({ bar, measure, figure, database, ok }) => [bar, database, ok ? "met" : "MISSED", figure, measure]);
  return table([["bar", "database", "", "figure", "measure"], ...rowsOf(false), ...unmeasured, ...rowsOf(true)]);
}

/** Z9 before Z11. */
function byName(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
