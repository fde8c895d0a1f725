import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { apiOf } from "../api/client.ts";
import { type Contract, loadContract } from "../api/contract.ts";
import { sendLine } from "../api/requests.ts";

// Addresses that are no operation of the API: each needs its own tests, so each has to be named here.
const BESIDE_THE_API = ["/api/[[...path]]", "/api/auth/[...nextauth]", "/api/health/live", "/api/health/ready", "/api/v1/openapi.json"];
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "TRACE"];

const { url } = inject("site");
const api = apiOf(url);
let contract: Contract;

beforeAll(async () => {
  contract = await loadContract(url);
});

test("every route file is an operation of the OpenAPI document or known to this suite", () => {
  const known = Object.keys(contract.document.paths).map((path) => `/api/v1${path.replace(/\{(\w+)\}/g, "[$1]")}`);

  expect(routeFolders("app/api").sort()).toEqual([...known, ...BESIDE_THE_API].sort());
});

function report(bar: string, measure: string, wrong: unknown[]): void {
  reportBar({ bar, measure, figure: wrong.length, ok: wrong.length === 0 });
}

test("Z5: no schema of an answer lets other properties in", () => {
  const answers = contract.operations.flatMap(({ method, template, operation }) =>
    Object.entries(operation.responses).map(([status, response]) => [`${method} ${template} ${status}`, response] as const),
  );

  const open = answers.flatMap(([name, response]) => openObjects(response).map((path) => `${name} ${path}`));
  const openComponents = Object.keys(contract.document.components.schemas).filter(
    (name) => isAnswer(name) && openObjects(contract.document.components.schemas[name]).length > 0,
  );

  report("Z5", `schemas of answers, of ${answers.length}, that let other properties in`, [...open, ...openComponents]);
  expect([...open, ...openComponents]).toEqual([]);
});

test("I14: every wrong method on every path answers 405 and says in Allow what is right", async () => {
  const wrong: string[] = [];
  for (const [template, item] of Object.entries(contract.document.paths)) {
    const path = contract.operations.find((operation) => operation.template === template)?.path ?? "";
    const allowed = Object.keys(item).map((method) => method.toUpperCase());
    if (item.get) allowed.push("HEAD");

    for (const method of METHODS.filter((candidate) => !allowed.includes(candidate))) {
      const { status, headers } = await api.call(method, path);
      const isRight = status === 405 && headers.allow?.split(", ").sort().join() === [...allowed, "OPTIONS"].sort().join();
      if (!isRight) wrong.push(`${method} ${path} ${status} ${headers.allow}`);
    }
  }
  report("I14", "wrong methods on known paths without 405 and the right Allow", wrong);
  expect(wrong).toEqual([]);
});

test("OPTIONS on every path answers 204 with Allow", async () => {
  for (const { path } of contract.operations) {
    const answer = await api.call("OPTIONS", path);

    expect([answer.status, answer.headers.allow]).toEqual([204, expect.stringContaining("OPTIONS")]);
  }
});

test("the API reference is a page, which is read and otherwise answers as the API does", async () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
    const answer = await api.call(method, "/api/v1/docs");

    expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, "GET, HEAD, OPTIONS"]);
    expect(answer.body).toEqual({ code: "METHOD_NOT_ALLOWED", message: expect.any(String) });
  }
  const options = await api.call("OPTIONS", "/api/v1/docs");
  expect([options.status, options.headers.allow]).toEqual([204, "GET, HEAD, OPTIONS"]);
});

test("HEAD answers as GET does, without the body", async () => {
  for (const path of ["/boards", "/settings/site", "/auth/setup"]) {
    const [head, get] = [await api.call("HEAD", path), await api.get(path)];

    expect([head.status, head.text, head.headers.etag]).toEqual([200, "", get.headers.etag]);
  }
});

describe("I14: an unknown path answers 404 NOT_FOUND as JSON", () => {
  const paths = [
    "/",
    "",
    "/nothing",
    "/boards/a/b/c",
    "/auth",
    "/auth/setup/more",
    "/users",
    "/BOARDS",
    "/boards.json",
    "/auth%2Fsetup",
    "/../v1/nothing",
    "/%zz",
    "/%E0%A4%A",
    "/boards%00",
  ];

  test.each(paths)("/api/v1%s", async (path) => {
    for (const method of ["GET", "POST", "DELETE", "OPTIONS", "PROPFIND"]) {
      const answer = await api.call(method, `/api/v1${path}`);

      expect([method, answer.status, answer.headers["content-type"]]).toEqual([method, 404, "application/json"]);
      expect(answer.body).toEqual({ code: "NOT_FOUND", message: expect.any(String) });
    }
  });

  test.each(["/api", "/api/", "/api/v2/boards", "/api/health", "/api/health/nothing", "//api//nothing"])("%s", async (path) => {
    const answer = await api.get(path);

    expect(answer).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  });
});

test("a trailing or doubled slash does not change what is answered, and loses no body", async () => {
  for (const path of ["/api/v1/boards/", "/api/v1//boards", "//api/v1/boards", "/api/v1/boards/?limit=1"])
    expect([path, (await api.get(path)).status]).toEqual([path, 200]);

  expect((await api.post("/auth/login/", { email: "nobody@example.com", password: "wrong password" })).body.code).toBe("INVALID_CREDENTIALS");
});

test("both health probes answer exactly their status", async () => {
  for (const path of ["/api/health/live", "/api/health/ready"]) {
    const answer = await api.get(path);

    expect([answer.status, answer.body]).toEqual([200, { status: "ok" }]);
  }
  expect((await api.call("DELETE", "/api/health/live")).status).toBe(405);
});

test("the OpenAPI document is one, and is answered with 304 to who has it", async () => {
  const answer = await api.get("/openapi.json");
  const again = await api.get("/openapi.json", { headers: { "if-none-match": answer.headers.etag ?? "" } });

  expect(answer.status).toBe(200);
  expect(contract.document.openapi).toMatch(/^3\.1\./);
  expect([again.status, again.text]).toEqual([304, ""]);
});

describe("a request line of another kind", () => {
  test.each([
    ["a whole address", "GET http://evil.example/api/v1/settings/site HTTP/1.1", 200],
    ["a whole address elsewhere", "GET http://evil.example:1/nothing HTTP/1.1", 404],
    ["a host and no path", "GET https://evil.example HTTP/1.1", 200],
    ["an asterisk", "OPTIONS * HTTP/1.1", 204],
    ["an unknown method", "NONSENSE / HTTP/1.1", 400],
    ["too long a path", `GET /api/v1/${"x".repeat(20_000)} HTTP/1.1`, 431],
  ])("with %s is answered by this server alone", async (_name, line, status) => {
    const answer = await sendLine(url, line);

    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.toLowerCase()).toContain("x-request-id: ");
    if (status >= 400 && status !== 404)
      expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toEqual({ code: "VALIDATION_ERROR", message: expect.any(String) });
  });

  test.each(["/\\evil.example", "/\\/evil.example", "//evil.example", "/%5Cevil.example", "/%2F%2Fevil.example", "/api\\v1\\boards"])(
    "%s leads nowhere else",
    async (path) => {
      const answer = await sendLine(url, `GET ${path} HTTP/1.1`);

      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
      expect(answer.toLowerCase()).not.toContain("\nlocation:");
    },
  );
});

test.for(["/api/v1/boards", "/", "//x", "http://127.0.0.1:1/"])("who offers another protocol at %s is answered in HTTP/1.1", async (target) => {
  expect(await sendLine(url, `GET ${target} HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c`)).toMatch(/^HTTP\/1\.1 (200|404) /);
});

function routeFolders(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^route\.tsx?$/.test(entry.name))
    .map((entry) => join("/", entry.parentPath).replace(/^\/app/, ""));
}

/** Where in `schema` an object does not refuse what it does not name. */
function openObjects(schema: unknown, path = ""): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const isOpen =
    "properties" in schema && "type" in schema && schema.type === "object" && !("additionalProperties" in schema && schema.additionalProperties === false);
  return [...(isOpen ? [path] : []), ...Object.entries(schema).flatMap(([name, value]) => openObjects(value, `${path}/${name}`))];
}

function isAnswer(name: string): boolean {
  return JSON.stringify(contract.operations.map(({ operation }) => operation.responses)).includes(`"#/components/schemas/${name}"`);
}
