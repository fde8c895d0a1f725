import { ZodError } from "zod";
import { AppError, ERROR_STATUS, type ErrorCode } from "./errors.ts";

/** The first problem of a failed parse as a failure that names the field and says what is allowed. A schema gives its own code by `params: { code }`. */
export function validationError(error: ZodError): AppError {
  const issue = error.issues[0];
  const field = issue?.path.join(".") || "body";
  const own = issue?.code === "custom" ? issue.params?.code : undefined;
  const code: ErrorCode = isErrorCode(own) ? own : "VALIDATION_ERROR";
  const message = isErrorCode(own) ? (issue?.message ?? "") : `${field} ${issue?.message ?? "is not valid"}.`;
  return new AppError(code, message, { field, cause: error });
}

/** What command lines and logs show of a failure: one sentence, with the field that is wrong. */
export function describeFailure(error: unknown): string {
  if (error instanceof ZodError) return validationError(error).message;
  return error instanceof Error ? error.message : String(error);
}

function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERROR_STATUS, value);
}
