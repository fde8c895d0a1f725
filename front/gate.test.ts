import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { json, text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { log } from "#lib/log";
import { API_BODY_BYTES } from "#lib/visit";
import { createFront } from "./front.ts";

const ROUTER_STATE = "next-router-state-tree";
/** On a busy machine much takes five times as long. */
const SOON = { timeout: 20_000 };

let server: Server;
/** `left` is how much of a body lies there that nobody read. */
let handedOn: { url?: string; headers: IncomingMessage["headers"]; bytes: number; left: () => number }[] = [];

beforeAll(async () => {
  const front = createFront();
  front.start(async (call, response) => {
    const noted = { url: call.url, headers: { ...call.headers }, bytes: 0, left: () => call.readableLength };
    handedOn.push(noted);
    const hasBody = call.headers["transfer-encoding"] || call.headers["content-length"];
    if (call.url?.endsWith("/late")) await Promise.race([once(call.resume(), "close").catch(() => {}), sleep(300)]);
    else if (hasBody && !call.url?.endsWith("/unread")) for await (const chunk of call) noted.bytes += chunk.length;
    response.end("handed on");
  });
  server = createServer({ requireHostHeader: false }, front.handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

beforeEach(() => void (handedOn = []));

afterAll(() => void server.close());

const portOf = () => (server.address() as AddressInfo).port;

function call(method: string, path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request({ port: portOf(), host: "127.0.0.1", method, path, headers }, resolve).on("error", reject).end());
}

async function raw(head: string): Promise<string> {
  const socket = connect(portOf(), "127.0.0.1");
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

test.for(["GET / HTTP/1.1\r\nAccept: */*", "GET /api/v1/boards HTTP/1.1\r\nHost: a\r\nHost: b"])(
  "a request that names no host, or two, is refused as every other: %j",
  async (head) => {
    const answer = await raw(head);

    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/i);
    expect(answer).toContain('"code":"VALIDATION_ERROR"');
    expect(handedOn).toEqual([]);
  },
);

test.for([
  ["a form of a page elsewhere, as the browser says", { "sec-fetch-site": "cross-site", "content-type": "application/x-www-form-urlencoded" }, 403],
  ["a form of a page of a neighbor", { "sec-fetch-site": "same-site", "content-type": "application/x-www-form-urlencoded" }, 403],
  ["a form of another site", { origin: "http://evil.example", "content-type": "application/x-www-form-urlencoded" }, 403],
  ["a form of nowhere", { origin: "null", "content-type": "application/x-www-form-urlencoded" }, 403],
  ["a form without its boundary", { "content-type": "multipart/form-data" }, 400],
  ["a form with an empty one", { "content-type": "multipart/form-data; boundary=" }, 400],
] as const)("%s is refused before Next would fail on it", async ([, headers, status]) => {
  const answer = await call("POST", "/login", headers);

  expect([answer.statusCode, handedOn.length]).toEqual([status, 0]);
  expect(await json(answer)).toEqual({ code: expect.any(String), message: expect.any(String) });
});

test("a form whose boundary is longer than forms have is refused", async () => {
  const send = async (boundary: string) => (await call("POST", "/login", { "content-type": `multipart/form-data; boundary=${boundary}` })).statusCode;

  expect(await send("x".repeat(70))).toBe(200);
  expect(await send("x".repeat(201))).toBe(400);
});

test("a body in crumbs is refused before it is taken in", async () => {
  const crumbs = (count: number, size: number) =>
    raw(
      `POST /login HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${`${size.toString(16)}\r\n${"a".repeat(size)}\r\n`.repeat(count)}0`,
    );

  expect(await crumbs(900, 1)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await crumbs(1200, 1)).toMatch(/^HTTP\/1\.1 413 /);
  expect(await crumbs(1400, 50)).toMatch(/^HTTP\/1\.1 413 /);
  expect(await crumbs(3000, 300)).toMatch(/^HTTP\/1\.1 200 /);
});

test.for(["POST /login", "GET /?"])("what answers %s/late, when its body was refused, adds nothing, and nobody else gets of it", async (start) => {
  const socket = connect(portOf(), "127.0.0.1");
  socket.write(`${start}/late HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\na\r\n".repeat(1100)}`);
  const refused = await text(socket);
  const [, path] = start.split(" ");
  const after = await raw(`GET ${path}/late HTTP/1.1\r\nHost: a`);

  expect(refused).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\n\r\n\{[^{}]*\}$/);
  expect(after).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n(b\r\n)?handed on/);
});

test("an operation is sent no more than it reads of a body without a stated length", async () => {
  const send = (path: string, bytes: number, method = "POST") =>
    raw(`${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n${"a".repeat(bytes)}\r\n0`);

  expect(await send("/api/v1/boards", API_BODY_BYTES)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await send("/login", API_BODY_BYTES + 1)).toMatch(/^HTTP\/1\.1 200 /);
  expect(handedOn.length).toBe(2);
  for (const method of ["POST", "OPTIONS", "PROPFIND"]) expect(await send("/api/v1/boards", API_BODY_BYTES + 1, method)).toMatch(/^HTTP\/1\.1 413 /);
  expect(handedOn.length).toBe(2);
});

test("an operation is handed such a body whole, also behind another on its connection", async () => {
  const post = (body: string) =>
    `POST /api/v1/boards HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const answers = await raw(`${post("one")}${post("a".repeat(100_000))}${post("three")}GET / HTTP/1.1\r\nHost: a`);

  expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(4);
  expect(handedOn.map(({ bytes }) => bytes)).toEqual([3, 100_000, 5, 0]);
});

test("of a body that an operation does not read nothing is kept when it was answered", async () => {
  const body = "a".repeat(100_000);
  const post = `POST /api/v1/unread HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const socket = connect(portOf(), "127.0.0.1");
  socket.write(`${post}${post}`);
  await vi.waitFor(() => expect(handedOn).toHaveLength(2), SOON);

  await vi.waitFor(() => expect(handedOn.map(({ left }) => left())).toEqual([0, 0]), SOON);
  socket.destroy();
});

test("of all bodies together no more is held than there is room for, until those who send them finish or leave", async () => {
  const head = "POST /api/v1/boards HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
  const most = `${head}${API_BODY_BYTES.toString(16)}\r\n${"a".repeat(API_BODY_BYTES)}\r\n`;
  const senders = Array.from({ length: 64 }, () => connect(portOf(), "127.0.0.1"));
  await Promise.all(senders.map((socket) => new Promise<unknown>((resolve) => socket.write(most, resolve))));
  const small = () => raw(`${head.replace("boards", "settings")}1\r\na\r\n0`);

  await vi.waitFor(async () => expect(await small()).toMatch(/^HTTP\/1\.1 503 .*retry-after: 2/is), SOON);
  expect(handedOn.filter((each) => each.url === "/api/v1/boards")).toEqual([]);
  senders[0]?.write("0\r\n\r\n");
  await vi.waitFor(async () => expect(await small()).toMatch(/^HTTP\/1\.1 200 /), SOON);
  const another = connect(portOf(), "127.0.0.1");
  another.write(most);
  await vi.waitFor(async () => expect(await small()).toMatch(/^HTTP\/1\.1 503 /), SOON);
  for (const socket of [...senders, another]) socket.destroy();
  await vi.waitFor(async () => expect(await small()).toMatch(/^HTTP\/1\.1 200 /), SOON);
});

test("pictures, and what else is more than words, take no more than there is room for, until they are answered or left; words are taken beside them", async () => {
  const head = "POST /me HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
  const form = (bytes: number) => `${head}${bytes.toString(16)}\r\n${"a".repeat(bytes)}\r\n`;
  const [most, words] = [11 * 1024 * 1024, 64 * 1024];
  const failed = vi.spyOn(log, "error");
  const left = 128 * 1024 * 1024 - 11 * (most - words);
  const fillers = [...Array<number>(11).fill(most), words + left - 100];
  const senders = fillers.map((bytes) => {
    const socket = connect(portOf(), "127.0.0.1").on("error", () => {});
    socket.write(form(bytes));
    return socket;
  });
  const bytesOf = (all: number[]) => all.reduce((sum, bytes) => sum + bytes, 0);
  await vi.waitFor(() => expect(bytesOf(handedOn.map(({ bytes }) => bytes))).toBe(bytesOf(fillers)), SOON);
  const send = (bytes: number) => raw(`${form(bytes)}0`);

  const sendApi = async (bytes: number) => (await fetch(`http://127.0.0.1:${portOf()}/api/v1/boards`, { method: "POST", body: "a".repeat(bytes) })).status;
  expect(await send(words + 1000)).toMatch(/^HTTP\/1\.1 503 .*retry-after: 2/is);
  expect(await sendApi(words + 1000)).toBe(503);
  expect(await raw(`${form(words + 1000).replace("/me", "/api/v1/boards")}0`)).toMatch(/^HTTP\/1\.1 503 /);
  expect(await send(words)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await sendApi(words)).toBe(200);
  for (const socket of senders) socket.destroy();
  await vi.waitFor(async () => expect(await send(words + 1000)).toMatch(/^HTTP\/1\.1 200 /), SOON);
  for (let sent = 0; sent < 20; sent++) expect(await send(8 * 1024 * 1024)).toMatch(/^HTTP\/1\.1 200 /);
  // What broke off is nobody's failure.
  expect(failed).not.toHaveBeenCalled();
});

test("a form of this site is handed on, also where a proxy in front speaks https", async () => {
  for (const scheme of ["http", "https"]) {
    const headers = { host: "feedback.example.com", origin: `${scheme}://feedback.example.com`, "content-type": "multipart/form-data; boundary=abc" };
    expect((await call("POST", "/login", headers)).statusCode).toBe(200);
  }
});

test("a place between pages that Next cannot read is left out, and one that it can is kept", async () => {
  const places = ["%%%", "{{{", "null", "[1,2,3]", encodeURIComponent('["",{"__proto__":1}]')];
  for (const place of places) await call("GET", "/", { [ROUTER_STATE]: place });
  const own = encodeURIComponent('["",{"children":["__PAGE__",{}]}]');
  await call("GET", "/", { [ROUTER_STATE]: own });

  expect(handedOn.map(({ headers }) => headers[ROUTER_STATE])).toEqual([...places.map(() => undefined), own]);
});

test("cookies whose names are none, or begin as the session's, are left out, and all others are handed on as they came", async () => {
  const sent = [
    "theme=dark; a=b=c; flag",
    "heard.session@=x",
    "a=1;heard.session =x; (=1; [b]; /; b=2;",
    "ü=1; c=ü",
    "heard.session=s; heard.session2=x; heard.session.0=x",
    "__Host-heard.session-=x; __Host-heard.session=s; heard.sessio=y",
  ];
  for (const cookie of sent) await call("GET", "/", { cookie });

  expect(handedOn.map(({ headers }) => headers.cookie)).toEqual([
    "theme=dark; a=b=c; flag",
    "",
    "a=1; b=2",
    "c=ü",
    "heard.session=s",
    "__Host-heard.session=s; heard.sessio=y",
  ]);
});

test("a page says which methods it answers", async () => {
  const options = await call("OPTIONS", "/");
  expect([options.statusCode, options.headers.allow]).toEqual([204, "GET, HEAD, POST, OPTIONS"]);
  for (const method of ["PUT", "DELETE", "PROPFIND"]) {
    const answer = await call(method, "/login");
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  }
  expect(handedOn).toEqual([]);
});

test("a file is read, whole and on no conditions, and nothing else", async () => {
  for (const path of ["/_next/static/chunks/a.js", "/favicon.ico", "/%66avicon.ico/", "/icon.svg?v=1"]) {
    const post = await call("POST", path);
    expect([post.statusCode, post.headers.allow, handedOn.length]).toEqual([405, "GET, HEAD, OPTIONS", 0]);
    await call("GET", path, { range: "bytes=9-", "if-range": '"x"', "if-match": '"x"', "if-unmodified-since": "x", "if-none-match": '"x"' });
    const names = Object.keys(handedOn.pop()?.headers ?? {});
    expect(names.filter((name) => /^(range|if-.*)$/.test(name))).toEqual(["if-none-match"]);
  }
});

test("the page that Next shows when everything else fails is nobody's address", async () => {
  await call("GET", "/_global-error");
  await call("GET", "/%5fglobal-error?x");

  expect(handedOn.map(({ url }) => url)).toEqual(["/-", "/-?x"]);
});

test("an address has one spelling before anything is checked: without dots, as a browser asks, and without repeated slashes", async () => {
  const resolved = {
    "/api/%2e%2e/login": "/login",
    "/api/../me?a=/../b": "/me?a=/../b",
    "/api/v1/auth/./setup": "/api/v1/auth/setup",
    "/api/..#x": "/",
    "/%2E./x/.": "/x/",
    "//evil.example/..": "/",
    "/api//v1/docs//?a=//b": "/api/v1/docs/?a=//b",
    "/x/..//\\evil.example": "/evil.example",
    "/x%2f..%2flogin": "/x%2f..%2flogin",
    "/.well-known/security.txt": "/.well-known/security.txt",
  };
  for (const path of Object.keys(resolved)) await call("GET", path);
  expect(handedOn.map(({ url }) => url)).toEqual(Object.values(resolved));

  expect((await call("PUT", "/api/../login")).statusCode).toBe(405);
  expect((await call("PUT", "/api/v1//docs")).statusCode).toBe(405);
  expect((await call("POST", "/api/%2e%2e/login", { origin: "http://evil.example" })).statusCode).toBe(403);
});

test("a part of a page is nobody's address", async () => {
  for (const path of ["/dashboard.rsc", "/dashboard.rsc#x", "/api/v1/boards.rsc/"]) await call("GET", path);

  expect(handedOn.map(({ url }) => url)).toEqual(["/-", "/-", "/api/-"]);
});

test.for(["/", "/api/nope"])("more than 200 cookies are refused at %s", async (path) => {
  const cookies = (count: number) => ({ cookie: Array(count).fill("a=1").join("; ") });

  expect((await call("GET", path, cookies(200))).statusCode).toBe(200);
  const refusal = await call("GET", path, cookies(201));
  expect([refusal.statusCode, handedOn.length]).toEqual([400, 1]);
  expect(await json(refusal)).toMatchObject({ code: "VALIDATION_ERROR" });
});

test.for(["/", "/api/v1/boards"])("a query of more names than anything here takes is refused at %s", async (path) => {
  const full = await call("GET", `${path}?${Array(100).fill("a").join("&")}`);
  expect([full.statusCode, handedOn.length]).toEqual([200, 1]);

  const long = await call("GET", `${path}?${Array(101).fill("a").join("&")}`);
  expect([long.statusCode, handedOn.length]).toEqual([400, 1]);
  expect(await json(long)).toMatchObject({ code: "VALIDATION_ERROR" });
});

test("what only looks like the API's address is a page", async () => {
  const answer = await call("GET", "/API/v1/boards");

  expect(answer.headers["content-security-policy"]).toContain("nonce-");
});
