import { appendFileSync } from "node:fs";

/** One figure of a bar, as `npm run prove` shows it. */
export type BarFigure = {
  /** The bar, such as `C1`. */
  bar: string;
  /** What was measured, in a few words. */
  measure: string;
  figure: string | number;
  database: "embedded" | "postgresql";
  ok: boolean;
};

/**
 * Reports a figure of a bar. Test files that do so are the ones that `npm run prove` runs; elsewhere it does nothing.
 * The database is the run's, where the test has no other.
 */
export function reportBar(figure: Omit<BarFigure, "database"> & Partial<BarFigure>): void {
  const file = process.env.HEARD_BARS_FILE;
  const database = process.env.TEST_DATABASE_URL ? "postgresql" : "embedded";
  if (file) appendFileSync(file, `${JSON.stringify({ database, ...figure })}\n`);
}
