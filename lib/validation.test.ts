import { expect, test } from "vitest";
import { z } from "zod";
import type { AppError } from "./errors.ts";
import { describeFailure, validationError } from "./validation.ts";

/** The failure that `schema` makes of `value`. */
function failureOf(schema: z.ZodType, value: unknown): AppError {
  return validationError(schema.safeParse(value).error as z.ZodError);
}

test("a wrong field is named, with what is allowed", () => {
  const schema = z.object({ password: z.object({ new: z.string("must be text") }), limit: z.string().optional() });

  expect(failureOf(schema, { password: { new: 7 } })).toMatchObject({
    code: "VALIDATION_ERROR",
    status: 400,
    message: "password.new must be text.",
    field: "password.new",
  });
});

test("a body that is no object at all is named as the body", () => {
  expect(failureOf(z.object({}), 7)).toMatchObject({ code: "VALIDATION_ERROR", field: "body" });
});

test("a schema's own code and words are kept", () => {
  const schema = z.object({
    email: z.unknown().superRefine((_, context) => context.addIssue({ code: "custom", message: "Give an address.", params: { code: "EMAIL_INVALID" } })),
  });

  expect(failureOf(schema, {})).toMatchObject({ code: "EMAIL_INVALID", message: "Give an address.", field: "email" });
});

test("a schema cannot invent a code", () => {
  for (const code of ["NO_SUCH_CODE", "toString", "constructor"]) {
    const schema = z.string().superRefine((_, context) => context.addIssue({ code: "custom", message: "is odd", params: { code } }));
    expect(failureOf(schema, "x").code).toBe("VALIDATION_ERROR");
  }
});

test("a command line shows one sentence", () => {
  expect(describeFailure(z.object({ email: z.string("must be text") }).safeParse({}).error)).toBe("email must be text.");
  expect(describeFailure(new Error("disk full"))).toBe("disk full");
  expect(describeFailure("gone")).toBe("gone");
});
