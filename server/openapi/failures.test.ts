import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { ERROR_STATUS, type ErrorCode } from "#lib/errors";
import { openApiDocument } from "../openapi.ts";

type Answer = { description: string; content: { "application/json": { schema: object } } };

const document = JSON.parse(JSON.stringify(openApiDocument())) as { paths: Record<string, Record<string, { responses: Record<string, Answer> }>> };
const CODES = Object.keys(ERROR_STATUS) as ErrorCode[];
const failures = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { responses }]) =>
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, answer]) => ({ name: `${method} ${path}`, status, answer })),
  ),
);

const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, "api");

/** The codes that the schema of `answer` lets through. */
function allowedCodes({ content }: Answer): string[] {
  const schema = JSON.parse(JSON.stringify(content["application/json"].schema).replaceAll('"#/', '"api#/'));
  const validate = ajv.compile(schema);
  return CODES.filter((code) => validate({ message: "No.", code }));
}

test("the schema of every failure allows the codes that its description names, each once, and no other", () => {
  expect(failures.length).toBeGreaterThan(100);
  for (const { name, status, answer } of failures) {
    const named = answer.description.split(", ");
    expect([name, status, new Set(named).size]).toEqual([name, status, named.length]);
    expect([name, status, allowedCodes(answer).sort()]).toEqual([name, status, named.sort()]);
  }
});

test("a code comes with its own status, but for those that operations name", () => {
  const unusual = failures.flatMap(({ name, status, answer }) =>
    answer.description
      .split(", ")
      .filter((code) => ERROR_STATUS[code as ErrorCode] !== Number(status) && status !== "503")
      .map((code) => `${name} ${status} ${code}`),
  );

  expect(unusual).toEqual([
    "post /auth/email/validate 400 INVALID_TOKEN",
    "post /auth/password/validate 400 INVALID_TOKEN",
    "patch /users/me 403 INVALID_CREDENTIALS",
  ]);
});

test("503 is SERVER_ERROR alone, as the contract says, and reading is forbidden to nobody", () => {
  for (const { status, answer } of failures) if (status === "503") expect(answer.description).toBe("SERVER_ERROR");
  expect(failures.filter(({ name, status }) => name.startsWith("get ") && status === "403")).toEqual([]);
});
