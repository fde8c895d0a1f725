import { ZodError } from "zod";
import { isUnavailable } from "./db.ts";
import { AppError, temporarilyUnavailable } from "./errors.ts";
import { log } from "./log.ts";
import { describeFailure, validationError } from "./validation.ts";

/** The failure to show for `error`; null for one that nobody foresaw. */
export function knownError(error: unknown): AppError | null {
  if (error instanceof AppError || (error as { name?: string } | null)?.name === "AppError") return error as AppError;
  if (error instanceof ZodError) return validationError(error);
  if (isUnavailable(error)) return temporarilyUnavailable(error);
  return null;
}

/** Writes into the log what was not the caller's fault, under the request's id. */
export function logFailure(error: unknown, { requestId, what }: { requestId: string | null; what: string }): void {
  const known = knownError(error);
  // What is foreseen comes in crowds: a database that is away, a full queue. It needs no stack.
  if (!known) log.error({ err: error, req_id: requestId }, what);
  else if (known.status >= 500) log.warn({ reason: describeFailure(known.cause ?? known), code: known.code, req_id: requestId }, what);
}
