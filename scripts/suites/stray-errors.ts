import { appendFileSync } from "node:fs";

/** Where the errors of a run stand that no test had, beside the run's report. */
export function strayErrorsFile(report: string): string {
  return `${report}.stray`;
}

/** Keeps an error that no test had, such as a promise that nobody waited for: Vitest's report in JSON leaves it out. For its `onUnhandledError`. */
export function keepStrayError(report: string | undefined, error: { stack?: string; message: string; VITEST_TEST_PATH?: string }): void {
  if (report) appendFileSync(strayErrorsFile(report), `${error.VITEST_TEST_PATH ?? ""} ${error.stack ?? error.message}\n`);
}
