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
  return lines.map((line): BarFigure => JSON.parse(line)).sort((one, other) => one.bar.localeCompare(other.bar, "en", { numeric: true }));
}

/** The figures in columns, each with what it measures and whether it meets its bar. */
export function barTable(figures: BarFigure[]): string {
  const rows = figures.map(({ bar, measure, figure, database, ok }) => [bar, database, ok ? "met" : "MISSED", figure, measure]);
  return table([["bar", "database", "", "figure", "measure"], ...rows]);
}
