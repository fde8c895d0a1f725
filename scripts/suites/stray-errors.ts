import { appendFileSync } from "node:fs";
import { inspect } from "node:util";

/** Where the errors of a run stand that no test had, beside the run's report. */
export function strayErrorsFile(report: string): string {
  return `${report}.stray`;
}

/** Keeps an error that no test had, such as a promise that nobody waited for or a worker that died, with all that is known of it: Vitest's report in JSON leaves it out. For its `onUnhandledError`. */
export function keepStrayError(report: string | undefined, error: unknown): void {
  if (report) appendFileSync(strayErrorsFile(report), `${inspect(error)}\n`);
}
