import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { startSite, type TestSite } from "../site.ts";
import { signIn } from "./browser.ts";
import { type Api, apiOf, checkAnswer, flatHeaders, newEmail, PASSWORD } from "./client.ts";
import { loadContract } from "./contract.ts";
import { ADDRESSES } from "./doors.ts";

const MEGABYTE = 1024 * 1024;

let site: TestSite;
let api: Api;
let owner: Api;

beforeAll(async () => {
  site = await startSite({ template: inject("databaseTemplate"), env: { METRICS_TOKEN: "for-the-metrics-of-this-test" } });
  api = apiOf(site.url);
  owner = api.as({ token: site.owner.authToken });
});

afterAll(async () => {
  await api?.close();
  await site?.remove();
});

/** Reports how many of `wrong` there are, and expects none. */
function expectNone(bar: string, measure: string, wrong: string[]): void {
  reportBar({ bar, measure, figure: wrong.length, database: site.databaseUrl ? "postgresql" : "embedded", ok: wrong.length === 0 });
  expect(wrong).toEqual([]);
}

describe("I3: a body that never ends", () => {
  /** Streams a body without a length until the server answers or hangs up: the answer's status, 0 where the end of the connection overtook it, and how much was sent and how long that took past the limit. */
  function streamForever(path: string, type = "application/json"): Promise<{ status: number; sentMb: number; msPastLimit: number }> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(site.url);
      const call = request({ hostname, port, path, method: "POST", headers: { "content-type": type, "transfer-encoding": "chunked" } });
      let [sent, passedAt, isDone] = [0, 0, false];
      const chunk = Buffer.alloc(64 * 1024, " ");
      call.on("response", (response) => {
        isDone = true;
        const answer = { status: response.statusCode ?? 0, sentMb: sent / MEGABYTE, msPastLimit: performance.now() - passedAt };
        response.on("close", () => call.destroy());
        checkWhole(response, { method: "POST", path }).then(() => resolve(answer), reject);
      });
      call.on("error", (error: NodeJS.ErrnoException) => {
        if (isDone) return;
        isDone = true;
        if (!["ECONNRESET", "EPIPE"].includes(error.code ?? "")) return void reject(error);
        resolve({ status: 0, sentMb: sent / MEGABYTE, msPastLimit: performance.now() - passedAt });
      });
      const pump = () => {
        while (!isDone && sent < 1024 * MEGABYTE) {
          sent += chunk.length;
          if (sent > MEGABYTE && passedAt === 0) passedAt = performance.now();
          if (!call.write(chunk)) return void call.once("drain", pump);
        }
      };
      pump();
    });
  }

  const refusals = () => site.logLines().filter((line) => /"route":"\/api\/v1\/auth\/login".*"status":413/.test(line)).length;
  const residentMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${site.pid}/status`, "utf8"))?.[1]) / 1024;

  test("is cut at once with 413, however many send one, and nothing of it stays in memory", { timeout: 120_000 }, async () => {
    await streamForever("/api/v1/auth/login");
    const before = residentMb();
    const answers = await Promise.all(Array.from({ length: scale(8, 40) }, () => streamForever("/api/v1/auth/login")));
    const grownMb = Math.round(residentMb() - before);
    const slowestMs = Math.round(Math.max(...answers.map(({ msPastLimit }) => msPastLimit)));

    const ok = slowestMs <= 100 && grownMb < 100;
    const figure = `${slowestMs} ms past the limit, ${grownMb} MB more`;
    reportBar({
      bar: "I3",
      measure: `${answers.length} endless bodies at once: slowest answer, memory`,
      figure,
      database: site.databaseUrl ? "postgresql" : "embedded",
      ok,
    });
    expect(answers.filter(({ status }) => status !== 413 && status !== 0)).toEqual([]);
    // What the server says it answered, also to those who did not hear it; and it lives.
    await vi.waitFor(() => expect(refusals()).toBe(answers.length + 1), { timeout: 5000 });
    expect((await api.get("/boards")).status).toBe(200);
    expect(Math.max(...answers.map(({ sentMb }) => sentMb))).toBeLessThan(64);
  });

  test("is cut on its way to a page, too", { timeout: 120_000 }, async () => {
    const { status, sentMb } = await streamForever("/login", "multipart/form-data; boundary=x");

    expect([413, 0]).toContain(status);
    expect(sentMb).toBeLessThan(64);
  });
});

describe("I3: a body that goes on after its answer", () => {
  /** Begins a body, and streams without end once the answer is there: its status, and how long the connection lasts from then on. */
  function goOn(method: string, path: string, length: Record<string, string>): Promise<{ status: number; lastedMs: number }> {
    const { promise, resolve } = Promise.withResolvers<{ status: number; lastedMs: number }>();
    const { hostname, port } = new URL(site.url);
    const call = request({ hostname, port, path, method, headers: { "content-type": "text/plain", ...length } });
    let [status, answeredAt] = [0, 0];
    const chunk = Buffer.alloc(64 * 1024, " ");
    const pump = () => {
      while (!call.destroyed) if (!call.write(chunk)) return void call.once("drain", pump);
    };
    call.on("response", (response) => {
      [status, answeredAt] = [response.statusCode ?? 0, performance.now()];
      response.on("error", () => {}).resume();
      pump();
    });
    call.on("error", () => {});
    call.on("socket", (socket) => socket.on("close", () => resolve({ status, lastedMs: performance.now() - answeredAt })));
    call.write("{");
    return promise;
  }

  const UNSTATED = { "transfer-encoding": "chunked" };
  const HUGE = { "content-length": "999999999999" };

  test.each([
    ["GET", "/api/v1/boards", UNSTATED, 200],
    ["GET", "/", UNSTATED, 200],
    ["POST", "/nothing", UNSTATED, 404],
    ["GET", "/api/v1/boards", HUGE, 413],
    ["GET", "/metrics", UNSTATED, 401],
    ["GET", "/metrics", HUGE, 401],
    ["POST", "/metrics", HUGE, 405],
  ])("%s %s with %o is taken in no longer than a moment", { timeout: 120_000 }, async (method, path, length, expected) => {
    const { status, lastedMs } = await goOn(method, path, length);

    expect(status).toBe(expected);
    expect(lastedMs).toBeLessThan(10_000);
  });
});

test("a small body that arrives long after its answer costs nobody the connection", async () => {
  const { host, hostname, port } = new URL(site.url);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  socket.setEncoding("utf8");
  const answer = async () => String((await once(socket, "data"))[0]);
  const ask = (body: string) => `GET /api/health/live HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 10\r\n\r\n${body}`;

  socket.write(ask("{"));
  await expect(answer()).resolves.toMatch(/^HTTP\/1.1 200 /);
  await sleep(2000);
  socket.write(" ".repeat(9) + ask(" ".repeat(10)));

  await expect(answer()).resolves.toMatch(/^HTTP\/1.1 200 /);
});

test("I5: no odd id or address in any path makes more than a 404", { timeout: 120_000 }, async () => {
  const odd = [
    "..",
    "%2e%2e",
    "%2e%2e%2f%2e%2e",
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "a%00b",
    "%E0%A4%A",
    "%ff",
    "%F0%9F%92%A1",
    "null",
    "-1",
    "0",
    "%20",
    "'--",
    "x".repeat(10_240),
  ];
  const { operations } = await loadContract(site.url);
  const inApi = operations
    .filter(({ template }) => template.includes("{"))
    .map(({ method, template }) => [method, `/api/v1${template.replace(/\{\w+\}/, "[x]")}`]);
  const pages = Object.keys(ADDRESSES)
    .filter((address) => address.includes("["))
    .map((address) => ["GET", address]);

  const session = (await signIn(site.url, site.owner.email, site.owner.password)).cookie();

  const wrong: string[] = [];
  for (const [method = "", template = ""] of [...inApi, ...pages]) {
    for (const value of odd) {
      const path = template.replace(/\[+[^\]]+\]+/, value);
      const json = method === "GET" || method === "DELETE" ? undefined : {};
      const status = await statusOf(method, path, json, session);
      // Two dots are the folder above, as every browser reads them, and that is an address like any other.
      const isElsewhere = new URL(path, site.url).pathname !== path;
      const isRight = status === 400 || status === 404 || (isElsewhere && status < 500);
      if (!isRight) wrong.push(`${method} ${path.slice(0, 80)}: ${status}`);
    }
  }

  expectNone("I5", `odd path parts of ${(inApi.length + pages.length) * odd.length} that were let in, or broke something`, wrong);
});

/** Sent as it is written: `fetch` would tidy the path. */
function statusOf(method: string, path: string, json: unknown, cookie: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(site.url);
    // Pages know their owner by the cookie, else they would ask to sign in before they read the path.
    const who = path.startsWith("/api/v1/") ? { authorization: `Bearer ${site.owner.authToken}` } : { cookie };
    const call = request({ hostname, port, path, method, headers: { ...who, "content-type": "application/json" } }, (response) => {
      checkWhole(response, { method, path }).then(() => resolve(response.statusCode ?? 0), reject);
    });
    call.on("error", reject);
    call.end(json === undefined ? undefined : JSON.stringify(json));
  });
}

/** Reads an answer to its end, and checks it as the API's client does; one that the end of the connection cut off is not looked at. */
async function checkWhole(response: IncomingMessage, asked: { method: string; path: string }): Promise<void> {
  const body = await text(response).catch(() => null);
  if (body !== null && response.complete)
    await checkAnswer(site.url, { ...asked, status: response.statusCode ?? 0, headers: flatHeaders(response.headers), text: body });
}

test("I6: odd limits, pages and cursors are refused or clamped", async () => {
  const { headers } = await api.get("/boards?limit=1");
  const cursor = /after=([^&>]+)/.exec(headers.link ?? "")?.[1] ?? "AAAA";
  const odd = ["-1", "NaN", "Infinity", "1e9", "1.5", "0x10", "abc", "%00", "null", "[]", "9".repeat(400), "", "%201"];
  const wrong: string[] = [];
  for (const name of ["limit", "page", "after"]) {
    for (const value of [...odd, "0", "1000000000", `${cursor}x`, cursor.slice(1), cursor.split("").reverse().join("")]) {
      const { status, body } = await api.get(`/boards?${name}=${value}`);
      const isClamped = status === 200 && body.boards.length <= 100;
      if (status !== 400 && !isClamped) wrong.push(`${name}=${value.slice(0, 40)}: ${status}`);
    }
  }

  expectNone("I6", "odd limits, pages and cursors that were neither refused nor clamped", wrong);
});

test("I12: nothing typed adds a header or a recipient to a letter", async () => {
  const odd = {
    "a line break in the address": "ada@example.org\r\nBcc: eve@example.org",
    "a line feed in the address": "ada@example.org\nBcc:eve@example.org",
    "two addresses": "ada@example.org, eve@example.org",
    "two addresses, by semicolon": "ada@example.org;eve@example.org",
    "a list of addresses": ["ada@example.org", "eve@example.org"],
    "an address with a name": "Ada <ada@example.org>",
    "a full-width @": "ada＠example.org",
    "a small @": "ada﹫example.org",
    "an address within one": "ada@example.org@evil.example",
  };
  const wrong: string[] = [];
  for (const [what, email] of Object.entries(odd)) {
    for (const path of ["/auth/signup", "/auth/login", "/auth/password/reset"]) {
      const { status } = await api.post(path, { email, password: PASSWORD });
      if (status !== 400) wrong.push(`${what} at ${path}: ${status}`);
    }
  }
  const named = await api.post("/auth/signup", { email: newEmail(), password: PASSWORD, name: "Ada\r\nBcc: eve@example.org" });
  if (named.status === 201 && /[\r\n]/.test(named.body.user.name)) wrong.push("a line break in a name is kept");
  const titled = await owner.patch("/settings/site", { title: "Acme\r\nBcc: eve@example.org" });
  if (titled.status === 200 && /[\r\n]/.test(titled.body.settings.title)) wrong.push("a line break in the title is kept");

  expectNone("I12", "ways to smuggle something into a letter", wrong);
});

test("I13: keys and parameters that are given twice, or are named like parts of every object, change nothing else", async () => {
  const raw = '{"name":"first","name":"second","__proto__":{"isPrivate":true},"constructor":{"prototype":{"isPrivate":true}},"toString":"x"}';
  const { status, body } = await owner.call("POST", "/boards", { raw, headers: { "content-type": "application/json" } });
  const plain = (await owner.post("/boards", { name: "third" })).body.board as { isPrivate?: boolean };
  const twice = await api.get("/boards?limit=1&limit=2&__proto__[limit]=1&constructor=x");

  const wrong = [
    ...(status === 201 && body.board.name === "second" ? [] : [`the last of two keys does not count: ${status}`]),
    ...((body.board as { isPrivate?: boolean })?.isPrivate === false && plain.isPrivate === false ? [] : ["a prototype was changed"]),
    ...(twice.status === 200 && twice.body.boards.length === 2 ? [] : ["the last of two parameters does not count"]),
  ];
  expectNone("I13", "keys and parameters that meant something else", wrong);
});
