import type { AppError } from "#lib/errors";
import { knownError } from "#lib/failures";

/** The failure of `work`, as the API would answer it; null where there was none, or none that is known. */
export async function failureOf(work: Promise<unknown>): Promise<AppError | null> {
  return work.then(() => null, knownError);
}

/** The code of a failure; "none" where there was none. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "none",
    (error: unknown) => knownError(error)?.code ?? String(error),
  );
}
