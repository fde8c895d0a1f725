import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { openApiDocument } from "../openapi.ts";
import { COMMON_ERRORS } from "./failures.ts";
import { apiReference } from "./reference.ts";

type Json = Record<string, unknown>;

const document = JSON.parse(JSON.stringify(openApiDocument())) as { paths: Record<string, Record<string, Json>> };
const { groups, codes } = apiReference();
const operations = groups.flatMap((group) => group.operations);

/** What is wrong with `value` by the schema that the document has at `pointer`; null where it has none. */
function problems(pointer: string, value: unknown): unknown {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = ajv.addSchema(document, "api").compile({ $ref: `api#${pointer}` });
  return validate(value) ? null : validate.errors;
}

const escaped = (path: string) => path.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D");

test("it has every operation of the document once, each with a place of its own, in groups that have names", () => {
  const documented = Object.entries(document.paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));

  expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(documented.sort());
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  expect(groups.map(({ name }) => name)).toEqual(["Accounts", "Boards", "Settings", "People"]);
});

test.for(operations)("the examples of $method $path are what its schemas allow", ({ method, path, body, answers }) => {
  const place = `/paths/${escaped(path)}/${method.toLowerCase()}`;

  if (body) expect(problems(`${place}/requestBody/content/application~1json/schema`, body)).toBeNull();
  for (const { status, example } of answers)
    if (example !== null) expect(problems(`${place}/responses/${status}/content/application~1json/schema`, example)).toBeNull();
});

test.for(operations)("what $method $path can fail with is what the document says, told there or with its kind", ({ method, path, token, failures }) => {
  const responses = document.paths[path]?.[method.toLowerCase()]?.responses as Record<string, { description: string }>;
  const documented = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  const kinds: (keyof typeof COMMON_ERRORS)[] = ["any", ...(method === "GET" ? [] : ["write" as const])];
  if (token !== "none") kinds.push("token");
  if (token === "needed") kinds.push("needed");

  const told = [...failures.flatMap(({ codes }) => codes), ...kinds.flatMap((kind) => COMMON_ERRORS[kind])];

  expect(new Set(told)).toEqual(new Set(documented.flatMap(([, { description }]) => description.split(", "))));
});

test("a code is listed with every status that an operation answers it with", () => {
  for (const { failures } of operations)
    for (const failure of failures)
      for (const code of failure.codes)
        expect([code, codes.find((listed) => listed.code === code)?.statuses]).toEqual([code, expect.arrayContaining([Number(failure.status)])]);
  expect(codes.find(({ code }) => code === "INVALID_TOKEN")?.statuses).toEqual([400, 401]);
});

test("every code has a meaning, and every failure names codes that are explained", () => {
  const explained = codes.filter(({ meaning }) => meaning).map(({ code }) => code);

  expect(explained).toHaveLength(codes.length);
  for (const { failures } of operations) for (const failure of failures) expect(explained).toEqual(expect.arrayContaining(failure.codes));
});
