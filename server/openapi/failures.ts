import { z } from "zod";
import type { ZodOpenApiResponsesObject } from "zod-openapi";
import { ERROR_STATUS, type ErrorCode } from "#lib/errors";

/** The schema `Error` of the document: the form of every failure, with every code there is. */
export const errorJson = z
  .object({ message: z.string().meta({ description: "For people." }), code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]) })
  .meta({ description: "Every failure looks like this." });

/**
 * What every operation can fail with, every write, what looks at a token, and what needs one. What is wrong with a request's head, and a stated length past all limits, is
 * refused whatever is asked for.
 */
export const COMMON_ERRORS = {
  any: ["VALIDATION_ERROR", "PAYLOAD_TOO_LARGE", "RATE_LIMITED", "SERVER_ERROR"],
  write: ["INVALID_JSON", "UNSUPPORTED_MEDIA_TYPE"],
  token: ["INVALID_TOKEN"],
  needed: ["UNAUTHENTICATED"],
} as const satisfies Record<string, ErrorCode[]>;

/** A code, and the status it comes with where that is not one of its usual ones. */
export type Failure = ErrorCode | { code: ErrorCode; status: number };

/** The statuses that a code comes with, where an operation does not say otherwise. */
export function usualStatuses(code: ErrorCode): number[] {
  // The other is `temporarilyUnavailable`.
  return code === "SERVER_ERROR" ? [500, 503] : [ERROR_STATUS[code]];
}

/** The answers of an operation with these failures, by status: the schema of each allows the codes that come with it, and no other. */
export function failureAnswers(failures: Failure[]): ZodOpenApiResponsesObject {
  const each = failures.flatMap((failure) => (typeof failure === "string" ? usualStatuses(failure).map((status) => ({ code: failure, status })) : [failure]));
  const byStatus = Map.groupBy(each, ({ status }) => status);
  return Object.fromEntries([...byStatus].map(([status, those]) => [status, failureAnswer(those.map(({ code }) => code))]));
}

function failureAnswer(codes: ErrorCode[]): ZodOpenApiResponsesObject[`${1 | 2 | 3 | 4 | 5}${string}`] {
  const schema = { allOf: [{ $ref: "#/components/schemas/Error" }, { properties: { code: { enum: codes } } }] };
  return { description: codes.join(", "), content: { "application/json": { schema } } };
}
