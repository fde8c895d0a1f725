import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { openApiDocument } from "./openapi.ts";

type Json = Record<string, unknown>;

const document = JSON.parse(JSON.stringify(openApiDocument())) as {
  openapi: string;
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json> };
};
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

/** A check of values against what the document says at `pointer`, such as `#/components/schemas/User`. */
function validator(pointer: string) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return ajv.addSchema(document, "api").compile({ $ref: `api${pointer}` });
}

/** `value` and everything in it. */
function everythingIn(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(everythingIn)] : [value];
}

test("it is an OpenAPI 3.1 document of every endpoint that the contract names", () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(operations.map(({ name }) => name).sort()).toEqual(
    [
      "GET /auth/setup",
      "POST /auth/setup",
      "POST /auth/signup",
      "POST /auth/login",
      "POST /auth/logout",
      "POST /auth/email/verify",
      "POST /auth/email/validate",
      "POST /auth/password/reset",
      "POST /auth/password/validate",
      "GET /boards",
      "POST /boards",
      "GET /boards/{boardId}",
      "PATCH /boards/{boardId}",
      "DELETE /boards/{boardId}",
      "GET /settings/site",
      "PATCH /settings/site",
      "GET /users/me",
      "PATCH /users/me",
      "GET /users/me/sessions",
      "DELETE /users/me/sessions",
      "DELETE /users/me/sessions/{sessionId}",
    ].sort(),
  );
});

test("every reference in it leads somewhere", () => {
  const references = everythingIn(document).flatMap((value) => (typeof (value as Json | null)?.$ref === "string" ? [(value as { $ref: string }).$ref] : []));

  expect(references.length).toBeGreaterThan(10);
  for (const reference of new Set(references)) expect(document.components.schemas).toHaveProperty([reference.replace("#/components/schemas/", "")]);
});

test("every operation says what failure looks like, in the two fields of the interface", () => {
  for (const { name, operation } of operations) {
    const failures = Object.entries(operation.responses as Record<string, Json>).filter(([status]) => Number(status) >= 400);
    expect(
      failures.map(([status]) => status),
      name,
    ).toEqual(expect.arrayContaining(["429", "500", "503"]));
    for (const [, failure] of failures) expect(failure).toHaveProperty(["content", "application/json", "schema"]);
  }
  const isError = validator("#/components/schemas/Error");
  expect(isError({ message: "Mail configuration missing", code: "MAIL_CONFIG_MISSING" })).toBe(true);
  expect(isError({ message: "Mail configuration missing" })).toBe(false);
  expect(isError({ message: "x", code: "NO_SUCH_CODE" })).toBe(false);
});

test("a user has the six fields of the interface, all of them text", () => {
  const user = {
    authToken: "t",
    userId: "0190a8a0-0000-7000-8000-00000000000a",
    name: "Ada",
    username: "amber-otter-48213",
    email: "ada@example.org",
    avatar: "https://feedback.example.com/avatars/a",
  };
  const isUser = validator("#/components/schemas/User");

  expect(isUser(user)).toBe(true);
  for (const field of Object.keys(user)) expect(isUser({ ...user, [field]: undefined }), field).toBe(false);
  expect(isUser({ ...user, passwordHash: "x" })).toBe(false);
});

test("a listed board has the six fields of the interface; its id may be null, its count is text", () => {
  const board = {
    boardId: "0190a8a0-0000-7000-8000-00000000000a",
    name: "💡 Ideas",
    color: "4f46e5",
    url: "ideas",
    createdAt: "2026-01-01T00:00:00.000Z",
    post_count: "0",
  };
  const isBoard = validator("#/components/schemas/ListedBoard");

  expect(isBoard(board)).toBe(true);
  expect(isBoard({ ...board, boardId: null })).toBe(true);
  for (const wrong of [{ post_count: 0 }, { color: "#4f46e5" }, { color: "4F46E5" }, { isPrivate: false }, { name: undefined }])
    expect(isBoard({ ...board, ...wrong }), JSON.stringify(wrong)).toBe(false);
});

test("a program may send what the interface says it may", () => {
  const takes = (pointer: string) => validator(`#/paths/${pointer}/requestBody/content/application~1json/schema`);
  const credentials = { email: "ada@example.org", password: "correct horse" };

  expect(takes("~1auth~1signup/post")(credentials)).toBe(true);
  expect(takes("~1auth~1setup/post")({ ...credentials, siteTitle: "Nimbus", name: "Ada" })).toBe(true);
  expect(takes("~1auth~1setup/post")({ ...credentials, siteTitle: 7 })).toBe(false);
  expect(takes("~1boards/post")({ name: "Ideas" })).toBe(true);
  expect(takes("~1boards/post")({})).toBe(false);
});

test("the list of boards takes created, limit and page as text, and after", () => {
  const parameters = document.paths["/boards"]?.get?.parameters as { name: string; in: string; required?: boolean; schema: Json }[];

  expect(parameters.map(({ name }) => name).sort()).toEqual(["after", "created", "limit", "page"]);
  for (const parameter of parameters) expect(parameter).toMatchObject({ in: "query", schema: { type: "string" } });
  expect(parameters.filter(({ required }) => required)).toEqual([]);
});
