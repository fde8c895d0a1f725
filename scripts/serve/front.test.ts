import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFront } from "./front.ts";

const server = createServer(createFront().handle);

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());

test.for([
  ["/api/health/live", 200, { status: "ok" }, null],
  ["/api/health/ready", 503, { status: "starting" }, null],
  ["/api/v1/boards", 503, { message: "Something went wrong!", code: "SERVER_ERROR" }, "2"],
] as const)("until Heard has started, %s answers %i", async ([path, status, body, retryAfter]) => {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);

  expect([response.status, await response.json(), response.headers.get("retry-after")]).toEqual([status, body, retryAfter]);
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
});

test("until Heard has started, a browser is told to come again by itself", async () => {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

  expect([response.status, response.headers.get("refresh")]).toEqual([503, "2"]);
  expect(await response.text()).toContain("starting");
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
