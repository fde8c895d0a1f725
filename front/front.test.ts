import { createServer, type IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { log } from "#lib/log";
import { createFront } from "./front.ts";

// An IPv6 host is an address only between brackets.
vi.hoisted(() => Object.assign(process.env, { HOST: "::1" }));

const server = createServer(createFront().handle);

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());

test.for([
  ["/api/health/live", 200, { status: "ok" }, null],
  ["/api/health/ready", 503, { status: "starting" }, "2"],
  ["/api/v1/boards", 503, { message: "Something went wrong!", code: "SERVER_ERROR" }, "2"],
] as const)("until Heard has started, %s answers %i", async ([path, status, body, retryAfter]) => {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);

  expect([response.status, await response.json(), response.headers.get("retry-after")]).toEqual([status, body, retryAfter]);
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
});

test.for([
  ["fr, en-GB", "", '<html lang="en" dir="ltr">', "Heard is starting", "light dark"],
  ["de-AT, en", "heard-theme=dark", '<html lang="de" dir="ltr">', "Heard startet gerade", "dark"],
  ["en", "heard-locale=ar; heard-theme=red}", '<html lang="ar" dir="rtl">', "يجري تشغيل Heard", "light dark"],
] as const)(
  "until Heard has started, a browser that asks for %s (cookie: %s) is told so, and comes again by itself",
  async ([languages, cookie, html, title, theme]) => {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { headers: { "accept-language": languages, cookie } });
    const page = await response.text();

    expect([response.status, response.headers.get("refresh"), response.headers.get("retry-after")]).toEqual([503, "2", "2"]);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    for (const part of [html, `<h1>${title}</h1>`, `color-scheme: ${theme};`]) expect(page).toContain(part);
    expect(response.headers.get("content-security-policy")).toContain(`style-src 'self' 'nonce-${/<style nonce="(.+?)">/.exec(page)?.[1]}'`);
  },
);

test("until Heard has started, a form that is sent is not followed by an empty one", async () => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/signup`;
  const response = await fetch(address, { method: "POST", body: "x" });

  expect((await fetch(address, { method: "HEAD" })).headers.get("refresh")).toBe("2");
  expect([response.status, response.headers.get("refresh"), response.headers.get("retry-after")]).toEqual([503, null, "2"]);
  expect(await response.text()).toContain("then go back and send it again");
});

test.for(["/api/v1/boards", "/"])("until Heard has started, %s is answered with the headers that every answer carries", async (path) => {
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);

  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  for (const name of ["x-content-type-options", "referrer-policy", "cross-origin-opener-policy", "cross-origin-resource-policy", "permissions-policy"])
    expect([name, headers.get(name)]).toEqual([name, expect.any(String)]);
  expect(headers.get("strict-transport-security")).toBeNull();
});

test("what Next asks of itself keeps what was found out of the caller; nobody else can say it is Next", async () => {
  const seen: IncomingHttpHeaders[] = [];
  const front = createFront();
  front.start(async (request, response) => {
    seen.push({ ...request.headers });
    response.end();
  });
  const own = createServer(front.handle);
  await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
  const { port } = own.address() as AddressInfo;
  const claim = { "x-heard-origin": "https://evil.example", "x-heard-ip": "192.0.2.1", "x-heard-inner": "x" };

  await fetch(`http://localhost:${port}/login`, { headers: claim });
  const [asked] = seen;
  const forwarded = { "x-heard-inner": String(asked?.["x-heard-inner"]), "x-heard-origin": String(asked?.["x-heard-origin"]), "x-heard-ip": "192.0.2.7" };
  await fetch(`http://127.0.0.1:${port}/dashboard`, { headers: forwarded });
  own.close();

  expect(asked).toMatchObject({ "x-heard-origin": `http://localhost:${port}`, "x-heard-ip": expect.stringMatching(/^(127\.0\.0\.1|::1)$/) });
  expect(seen[1]).toMatchObject({ "x-heard-origin": `http://localhost:${port}`, "x-heard-ip": "192.0.2.7" });
});

test("a host that cannot be one is answered like every other request", async () => {
  const own = createServer(createFront().handle);
  await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
  const socket = connect((own.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET /api/v1/boards HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n");

  const answer = await text(socket);
  own.close();

  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
});

test("a connection's requests are handed on one after another, and one that sends too many ahead is ended", async () => {
  const front = createFront();
  let [open, most, count] = [0, 0, 0];
  front.start(async (_request, response) => {
    most = Math.max(most, ++open);
    count++;
    await new Promise((resolve) => setTimeout(resolve, 10));
    open--;
    response.end("x");
  });
  const own = createServer(front.handle);
  await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
  const send = (requests: number) => {
    const socket = connect((own.address() as AddressInfo).port, "127.0.0.1");
    for (let sent = 1; sent <= requests; sent++) socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${sent === requests ? "Connection: close\r\n" : ""}\r\n`);
    return text(socket).catch(() => "ended");
  };

  const answers = await send(8);
  const [answered, together] = [count, most];
  const tooMany = await send(2000);
  own.close();

  expect([answers.match(/HTTP\/1\.1 200/g)?.length, answered, together]).toEqual([8, 8, 1]);
  expect(tooMany.match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThan(20);
  expect(count).toBeLessThan(40);
});

test("of requests that arrive together one is begun in each turn: everybody else's answer goes on in between, and who left or was refused meanwhile gets none", async () => {
  const front = createFront();
  const begun: (string | undefined)[] = [];
  front.start(async ({ url }) => void begun.push(url));
  const arrive = (url: string) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method: "GET", url, rawHeaders: ["Host", "localhost"] });
    const response = new ServerResponse(request);
    front.handle(request, response);
    return response;
  };
  const turn = () => new Promise(setImmediate);

  for (const url of ["/1", "/2", "/3"]) arrive(url);
  const atOnce = [...begun];
  await turn();
  const afterATurn = [...begun];
  await turn();
  expect([atOnce, afterATurn, begun]).toEqual([["/1"], ["/1", "/2"], ["/1", "/2", "/3"]]);

  await turn();
  arrive("/4");
  arrive("/who left").destroy();
  arrive("/refused meanwhile").end();
  arrive("/5");
  expect(begun.slice(3)).toEqual(["/4"]);
  for (let count = 0; count < 3; count++) await turn();
  expect(begun.slice(3)).toEqual(["/4", "/5"]);
});

test("where a body was given up half-read its connection ends with the answer: whoever asks on it next is not left waiting", { timeout: 10_000 }, async () => {
  const front = createFront();
  const brokenForm = () => new Writable({ write: (_chunk, _encoding, done) => done(new Error("no form")) });
  front.start((request, response) => pipeline(request, brokenForm()).catch(() => void response.end("broken")));
  const own = createServer({ keepAliveTimeout: 0 }, front.handle);
  await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
  const socket = connect((own.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\n${"x".repeat(300_000)}GET / HTTP/1.1\r\nHost: localhost\r\n\r\n`);

  const answers: string[] = [];
  socket.on("data", (bytes) => answers.push(String(bytes)));
  await new Promise((resolve) => socket.on("error", () => {}).on("close", resolve));
  own.close();

  expect(answers.join("").match(/HTTP\/1\.1 200/g)).toHaveLength(1);
});

test("a failure amid a body is logged and answered with 500, whoever waits for an answer", async () => {
  const failed = vi.spyOn(log, "error");
  const front = createFront();
  front.start(async (request) => {
    await pipeline(request, new Writable({ write: (_chunk, _encoding, done) => done(new Error("the disk is away")) }));
  });
  const own = createServer(front.handle);
  await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
  const socket = connect((own.address() as AddressInfo).port, "127.0.0.1");
  socket.write("POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nbegun");

  await vi.waitFor(() =>
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ err: expect.objectContaining({ message: "the disk is away" }) }), expect.any(String)),
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 500 /);
  own.close();
});

test("whoever hears that a body is too large and goes is logged as answered", async () => {
  const info = vi.spyOn(log, "info");
  onTestFinished(() => info.mockRestore());
  const front = createFront();
  front.start(async (_request, response) => void response.end());
  const own = createServer(front.handle);
  await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
  const socket = connect((own.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`POST /api/v1/auth/signup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${5 * 1024 * 1024}\r\n\r\n{`);

  await new Promise((resolve) => socket.once("data", resolve));
  socket.destroy();
  await vi.waitFor(() => expect(info).toHaveBeenCalledWith(expect.objectContaining({ status: 413 }), "request"));
  own.close();

  expect(info.mock.calls.find(([line]) => (line as { status?: number }).status === 413)?.[0]).toMatchObject({ aborted: undefined });
});
