import { expect, test, vi } from "vitest";
import { z } from "zod";
import { AppError, temporarilyUnavailable } from "./errors.ts";
import { cacheableAs, cacheableJson, endpoint, readQuery } from "./http.ts";
import { log } from "./log.ts";
import { API_BODY_BYTES } from "./visit.ts";

const URL_ = "http://localhost:3000/api/v1/things";
const CONTEXT = { params: Promise.resolve({}) };

/** An endpoint that says which body and query it read. */
const echo = endpoint({
  GET: async (request) => Response.json({ query: readQuery(request) }),
  POST: (_request, { body }) => Response.json({ body }, { status: 201 }),
  DELETE: () => new Response(null, { status: 204 }),
});

/** Posts `body` as `contentType`; bytes, because fetch itself would name a type for text. */
function post(body: string | Uint8Array<ArrayBuffer> | ReadableStream | null, contentType?: string, headers: Record<string, string> = {}): Promise<Response> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return echo.POST(
    new Request(URL_, {
      method: "POST",
      body: bytes,
      headers: { ...(contentType !== undefined && { "content-type": contentType }), ...headers },
      duplex: "half",
    } as RequestInit),
    CONTEXT,
  );
}

/** What an endpoint answers when its handler throws `error`. */
function failing(error: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return endpoint({ GET: () => Promise.reject(error) }).GET(new Request(URL_, { headers }), CONTEXT);
}

async function codeOf(response: Response): Promise<string> {
  const body = (await response.json()) as Record<string, unknown>;
  expect(Object.keys(body).sort()).toEqual(["code", "message"]);
  expect(body.message).toEqual(expect.any(String));
  return `${response.status} ${body.code}`;
}

test.for([
  ["no body", null, {}],
  ["an empty body", "", {}],
  ["white space", " \n ", {}],
  ["an object", '{"a":1}', { a: 1 }],
  ["an object behind a byte order mark", '\ufeff{"a":1}', { a: 1 }],
  ["a key given twice, of which the last counts", '{"a":1,"a":2}', { a: 2 }],
] as const)("%s is read", async ([, body, expected]) => {
  const response = await post(body);

  expect(response.status).toBe(201);
  expect(await response.json()).toEqual({ body: expected });
});

test.for(["{", "x", "null", "7", '"text"', "true", "[]", '[{"a":1}]', "{'a':1}", '{"a":1}}', `${"[".repeat(10_000)}`])(
  "the body %s is INVALID_JSON",
  async (body) => {
    expect(await codeOf(await post(body))).toBe("400 INVALID_JSON");
  },
);

test("a body that is not UTF-8 is INVALID_JSON, also when it ends in the middle of a character", async () => {
  for (const bytes of [
    [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d],
    [0x7b, 0x7d, 0xf0, 0x9f],
  ])
    expect(await codeOf(await post(new Uint8Array(bytes)))).toBe("400 INVALID_JSON");
});

test("a character that two chunks share is read whole", async () => {
  const bytes = new TextEncoder().encode('{"a":"🎉"}');
  const chunks = new ReadableStream({
    start(controller) {
      for (const chunk of [bytes.slice(0, 8), bytes.slice(8)]) controller.enqueue(chunk);
      controller.close();
    },
  });

  expect(await (await post(chunks)).json()).toEqual({ body: { a: "🎉" } });
});

test("a key named __proto__ changes nobody's prototype", async () => {
  const response = await post('{"__proto__":{"isOwner":true},"constructor":{"prototype":{"isOwner":true}}}');

  expect(response.status).toBe(201);
  expect(({} as { isOwner?: boolean }).isOwner).toBeUndefined();
});

test.for([
  [undefined, 201],
  ["application/json", 201],
  ["application/json; charset=utf-8", 201],
  ["Application/JSON", 201],
  ["text/plain", 415],
  ["text/plain;charset=UTF-8", 415],
  ["application/x-www-form-urlencoded", 415],
  ["multipart/form-data; boundary=x", 415],
  ["application/ld+json", 415],
  ["text/html, application/json", 415],
  ["\u00a0application/json", 415],
  ["application/json x", 415],
  ["", 415],
  [";", 415],
  ["; charset=utf-8", 415],
  [";text/plain", 415],
] as const)("a body of the type %j answers %i", async ([type, status]) => {
  const response = await post("{}", type);

  expect(response.status).toBe(status);
  if (status === 415) expect(await codeOf(response)).toBe("415 UNSUPPORTED_MEDIA_TYPE");
});

test("another type is refused on a write without a body too, and ignored on a read", async () => {
  const headers = { "content-type": "text/plain" };

  expect((await echo.DELETE(new Request(URL_, { method: "DELETE", headers }), CONTEXT)).status).toBe(415);
  expect((await echo.GET(new Request(URL_, { headers }), CONTEXT)).status).toBe(200);
});

test("a body is looked at on every write, but for an endpoint that says otherwise", async () => {
  const send = (door: typeof echo) => door.DELETE(new Request(URL_, { method: "DELETE", body: new TextEncoder().encode("[") }), CONTEXT);
  const handlers = { DELETE: () => new Response(null, { status: 204 }) };

  expect(await codeOf(await send(endpoint(handlers)))).toBe("400 INVALID_JSON");
  expect((await send(endpoint(handlers, { ignoresBody: true }))).status).toBe(204);
});

test("a body of 1 MiB is read, and one byte more is refused, whether its length is announced or not", async () => {
  const body = `{"a":"${"x".repeat(API_BODY_BYTES - 8)}"}`;
  expect(body).toHaveLength(API_BODY_BYTES);

  expect((await post(body)).status).toBe(201);
  expect(await codeOf(await post(`${body} `))).toBe("413 PAYLOAD_TOO_LARGE");
  expect(await codeOf(await post("{}", undefined, { "content-length": String(API_BODY_BYTES + 1) }))).toBe("413 PAYLOAD_TOO_LARGE");
});

test("the rest of a body that is too large is not read, and the connection ends", async () => {
  let chunkCount = 0;
  const endless = new ReadableStream({
    pull(controller) {
      chunkCount += 1;
      controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
    },
  });

  const response = await post(endless);

  expect(await codeOf(response)).toBe("413 PAYLOAD_TOO_LARGE");
  expect(response.headers.get("connection")).toBe("close");
  expect(chunkCount).toBeLessThan(20);
});

test("a parameter given twice has its last value", async () => {
  const response = await echo.GET(new Request(`${URL_}?a=1&b=%F0%9F%8E%89&a=2`), CONTEXT);

  expect(await response.json()).toEqual({ query: { a: "2", b: "🎉" } });
});

test("a method that the path does not have is 405 with Allow", async () => {
  const response = await echo.PATCH(new Request(URL_, { method: "PATCH" }), CONTEXT);

  expect(await codeOf(response)).toBe("405 METHOD_NOT_ALLOWED");
  expect(response.headers.get("allow")).toBe("GET, POST, DELETE, HEAD, OPTIONS");
});

test("the method that the front server names is the one that counts", async () => {
  const trace = new Request(URL_, { method: "POST", headers: { "x-heard-method": "TRACE" } });

  expect(await codeOf(await echo.POST(trace, CONTEXT))).toBe("405 METHOD_NOT_ALLOWED");
});

test("HEAD answers as GET does, where there is a GET", async () => {
  const head = await echo.HEAD(new Request(URL_, { method: "HEAD" }), CONTEXT);
  expect(head.status).toBe(200);
  expect(head.headers.get("content-type")).toBe("application/json");

  const writeOnly = endpoint({ POST: () => Response.json({}) });
  const response = await writeOnly.HEAD(new Request(URL_, { method: "HEAD" }), CONTEXT);
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("POST, OPTIONS");
});

test("OPTIONS says what is allowed", async () => {
  const response = await echo.OPTIONS(new Request(URL_, { method: "OPTIONS" }), CONTEXT);

  expect(response.status).toBe(204);
  expect(response.headers.get("allow")).toBe("GET, POST, DELETE, HEAD, OPTIONS");
});

test("the same answer has the same ETag, and who has it already gets 304 without a body", async () => {
  const get = (headers: Record<string, string>, body: unknown = { boards: [] }, link = "x") =>
    cacheableJson(new Request(URL_, { headers }), null, body, { Link: link });
  const etag = get({}).headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\w-]+"$/);

  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const response = get({ "if-none-match": known });
    expect([response.status, await response.text(), Object.fromEntries(response.headers)]).toEqual([304, "", { "cache-control": "no-cache", etag, link: "x" }]);
  }
  expect(get({ "if-none-match": '"other"' }).status).toBe(200);
  expect(get({ "if-none-match": etag }, { boards: [1] }).status).toBe(200);
  expect(get({ "if-none-match": etag }, { boards: [] }, "y").status).toBe(200);
});

test("a body that its version names is made only for who does not have it", async () => {
  const make = vi.fn(async () => ({ bytes: new Uint8Array([1]), type: "image/png" }));
  const get = (known: string) => cacheableAs(new Request(URL_, { headers: { "if-none-match": known } }), null, { version: "v1", make });

  const response = await get('"v1"');
  expect([response.status, response.headers.get("etag"), response.headers.get("content-type"), make.mock.calls.length]).toEqual([304, '"v1"', null, 0]);
  const made = await get('"v0"');
  expect([made.status, made.headers.get("content-type"), make.mock.calls.length]).toEqual([200, "image/png", 1]);
});

test("an answer for somebody in particular, like a failure, is kept by no cache", async () => {
  const viewer = { userId: "u", sessionId: "s", role: "MEMBER", isVerified: true } as const;

  expect(cacheableJson(new Request(URL_), viewer, {}).headers.get("cache-control")).toBe("private, no-store");
  expect(cacheableJson(new Request(URL_), null, {}).headers.get("cache-control")).toBe("no-cache");
  expect((await echo.GET(new Request(URL_), CONTEXT)).headers.get("cache-control")).toBe("no-store");
  expect((await failing(new Error("x"))).headers.get("cache-control")).toBe("no-store");
});

test("a known failure is answered with its own words", async () => {
  const response = await failing(new AppError("BOARD_NOT_FOUND", "There is no such board."));

  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ message: "There is no such board.", code: "BOARD_NOT_FOUND" });
});

test.for([
  ["cross-site", undefined, 415],
  ["same-site", undefined, 415],
  ["same-origin", undefined, 201],
  ["none", undefined, 201],
  [undefined, undefined, 201],
  ["cross-site", "application/json", 201],
] as const)("a write from %s with the type %s is answered %i", async ([site, type, status]) => {
  expect((await post("{}", type, site && { "sec-fetch-site": site })).status).toBe(status);
});

test("a failure from the other module graph is known by its name", async () => {
  const foreign = Object.assign(new Error("Sign in first."), { name: "AppError", code: "UNAUTHENTICATED", status: 401 });

  expect(await codeOf(await failing(foreign))).toBe("401 UNAUTHENTICATED");
});

test("a wrong field is VALIDATION_ERROR that names it", async () => {
  const response = await failing(z.object({ limit: z.string("must be text") }).safeParse({}).error);

  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ message: "limit must be text.", code: "VALIDATION_ERROR" });
});

test("whoever must sign in is told how", async () => {
  expect((await failing(new AppError("UNAUTHENTICATED", "Sign in first."))).headers.get("www-authenticate")).toBe('Bearer realm="Heard"');
  expect((await failing(new AppError("INVALID_TOKEN", "Wrong."))).headers.get("www-authenticate")).toContain('error="invalid_token"');
  expect((await failing(new AppError("INVALID_TOKEN", "Wrong link.", { status: 400 }))).headers.has("www-authenticate")).toBe(false);
});

test("what will work again soon is 503 with Retry-After, too many requests 429 with theirs", async () => {
  const unavailable = [
    temporarilyUnavailable(new Error("x")),
    Object.assign(new Error("connect"), { code: "ECONNREFUSED" }),
    Object.assign(new Error("pool"), { code: "P2024" }),
    Object.assign(new Error("write conflict"), { code: "P2034" }),
    Object.assign(new Error("could not serialize"), { code: "40001" }),
    Object.assign(new Error("deadlock detected"), { cause: { kind: "postgres", originalCode: "40P01" } }),
  ];
  for (const error of unavailable) {
    const response = await failing(error);
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ message: "Something went wrong!", code: "SERVER_ERROR" });
  }

  const limited = await failing(new AppError("RATE_LIMITED", "Wait a little.", { retryAfterSeconds: 42 }));
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "42"]);
});

test.for([new Error("SELECT * FROM canary"), new TypeError("canary"), "canary", { canary: 1 }, null, undefined])(
  "what nobody foresaw (%s) says nothing, and is logged under the request's id",
  async (error) => {
    const logged = vi.spyOn(log, "error");

    const response = await failing(error, { "x-request-id": "req-7" });

    const text = await response.text();
    expect([response.status, text]).toEqual([500, JSON.stringify({ message: "Something went wrong!", code: "SERVER_ERROR" })]);
    expect(JSON.stringify([...response.headers])).not.toContain("canary");
    expect(logged).toHaveBeenCalledExactlyOnceWith({ err: error, req_id: "req-7" }, "request failed");
    logged.mockRestore();
  },
);
