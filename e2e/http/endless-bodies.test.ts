import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { MAX_PICTURE_FORM_BYTES } from "#front/bodies";
import { reportBar } from "#lib/testing/bars";
import { isFullScale, scale } from "#lib/testing/scale";
import { type Api, apiOf, checkAnswer, checkWhole } from "../api/client.ts";
import { METRICS_TOKEN } from "../process/figures.ts";
import { startSite, type TestSite } from "../site.ts";

const MEGABYTE = 1024 * 1024;
const REFUSED_WITHIN_MS = 100;
const MAX_GROWTH_MB = 100;

let site: TestSite;
let api: Api;

beforeAll(async () => {
  site = await startSite({ template: inject("databaseTemplate"), env: { METRICS_TOKEN } });
  api = apiOf(site.url);
});

afterAll(async () => {
  await api?.close();
  await site?.remove();
});

const residentMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${site.pid}/status`, "utf8"))?.[1]) / 1024;

describe("I3: a body that never ends", () => {
  /** How such a body ended: the answer's status, 0 where the end of the connection overtook it, how much was sent, and how long that took past the first megabyte. */
  type Refusal = { status: number; sentMb: number; ms: number };

  /** So many refusals the log is to tell of. */
  let asked = 0;

  /** Sends the first megabyte of a body without a length, which is all that the API takes, or as many as the address takes. What it returns streams on until the server answers or hangs up. */
  async function sendMegabyte(path: string, type = "application/json", megabytes = 1): Promise<() => Promise<Refusal>> {
    const { hostname, port } = new URL(site.url);
    const call = request({ hostname, port, path, method: "POST", headers: { "content-type": type, "transfer-encoding": "chunked" } });
    const { promise, resolve, reject } = Promise.withResolvers<Refusal>();
    let [sent, passedAt, isDone] = [megabytes * MEGABYTE, 0, false];
    const refusal = (status: number) => ({ status, sentMb: sent / MEGABYTE, ms: performance.now() - passedAt });
    call.on("response", (response) => {
      isDone = true;
      const answer = refusal(response.statusCode ?? 0);
      response.on("close", () => call.destroy());
      checkWhole(site.url, response, { method: "POST", path }).then(() => resolve(answer), reject);
    });
    call.on("error", (error: NodeJS.ErrnoException) => {
      if (isDone) return;
      isDone = true;
      if (["ECONNRESET", "EPIPE"].includes(error.code ?? "")) resolve(refusal(0));
      else reject(error);
    });
    const chunk = Buffer.alloc(64 * 1024, " ");
    const pump = () => {
      while (!isDone && sent < 1024 * MEGABYTE) {
        sent += chunk.length;
        if (!call.write(chunk)) return void call.once("drain", pump);
      }
    };
    await new Promise((done) => call.write(Buffer.alloc(megabytes * MEGABYTE, " "), done));
    return () => {
      expect(isDone).toBe(false);
      passedAt = performance.now();
      pump();
      return promise;
    };
  }

  function sendMegabytes(count: number): Promise<(() => Promise<Refusal>)[]> {
    asked += count;
    return Promise.all(Array.from({ length: count }, () => sendMegabyte("/api/v1/auth/login")));
  }

  const slowest = (refusals: Refusal[]) => Math.round(Math.max(...refusals.map(({ ms }) => ms)));
  const refusalsLogged = () => site.logLines().filter((line) => /"route":"\/api\/v1\/auth\/login".*"status":413/.test(line)).length;

  test("is cut with 413 as soon as it is over the limit, however many others have come up to it", { timeout: 120_000 }, async () => {
    const bodies = await sendMegabytes(scale(8, 40));
    // Its answer stands behind what was sent before it: none of that is waited for below.
    await api.get("/boards");

    const refusals: Refusal[] = [];
    for (const goOn of bodies) refusals.push(await goOn());

    const ms = slowest(refusals);
    const measure = `each of ${bodies.length} endless bodies in turn: slowest refusal after the limit`;
    reportBar({ bar: "I3", measure, figure: `${ms} ms`, ok: ms <= REFUSED_WITHIN_MS });
    expect(refusals.filter(({ status }) => status !== 413 && status !== 0)).toEqual([]);
    expect(Math.max(...refusals.map(({ sentMb }) => sentMb))).toBeLessThan(64);
    if (isFullScale) expect(ms).toBeLessThanOrEqual(REFUSED_WITHIN_MS);
  });

  test("leaves nothing in memory, however many send one at once, again and again", { timeout: 120_000 }, async () => {
    const [first] = await sendMegabytes(1);
    await first?.();
    const before = residentMb();

    const refusals: Refusal[] = [];
    for (let crowd = 0; crowd < scale(2, 5); crowd++) {
      const bodies = await sendMegabytes(scale(8, 40));
      refusals.push(...(await Promise.all(bodies.map((goOn) => goOn()))));
    }

    const grownMb = Math.round(residentMb() - before);
    // The time of the last is no figure of the bar: before it the server, and this client, take in what all the others send.
    const figure = `${grownMb} MB more (in a crowd the last answer came ${slowest(refusals)} ms after the limit)`;
    const measure = `${refusals.length} endless bodies, ${scale(8, 40)} at once: memory`;
    reportBar({ bar: "I3", measure, figure, ok: grownMb < MAX_GROWTH_MB });
    expect(refusals.filter(({ status }) => status !== 413 && status !== 0)).toEqual([]);
    // What the server says it answered, also to those who did not hear it; and it lives.
    await vi.waitFor(() => expect(refusalsLogged()).toBe(asked), { timeout: 5000 });
    expect((await api.get("/boards")).status).toBe(200);
    expect(Math.max(...refusals.map(({ sentMb }) => sentMb))).toBeLessThan(64);
    if (isFullScale) expect(grownMb).toBeLessThan(MAX_GROWTH_MB);
  });

  test("is cut as soon as a picture's form is over its limit", { timeout: 120_000 }, async () => {
    const refusals: Refusal[] = [];
    for (let sent = 0; sent < scale(3, 20); sent++) {
      const goOn = await sendMegabyte("/me", "multipart/form-data; boundary=x", MAX_PICTURE_FORM_BYTES / MEGABYTE);
      // Those before it in the buffers are counted first.
      await api.get("/boards");
      refusals.push(await goOn());
    }

    const ms = slowest(refusals);
    const measure = `each of ${refusals.length} endless uploads in turn: slowest refusal after the limit`;
    reportBar({ bar: "I3", measure, figure: `${ms} ms`, ok: ms <= REFUSED_WITHIN_MS });
    expect(refusals.filter(({ status }) => status !== 413 && status !== 0)).toEqual([]);
    expect(Math.max(...refusals.map(({ sentMb }) => sentMb))).toBeLessThan(64);
    if (isFullScale) expect(ms).toBeLessThanOrEqual(REFUSED_WITHIN_MS);
  });

  test("is cut on its way to a page, too", { timeout: 120_000 }, async () => {
    const goOn = await sendMegabyte("/login", "multipart/form-data; boundary=x");

    const { status, sentMb } = await goOn();

    expect([413, 0]).toContain(status);
    expect(sentMb).toBeLessThan(64);
  });
});

describe("I3: a deep body", () => {
  const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;

  /** Sent without a length: what was answered, and in how many milliseconds. */
  async function send(deep: string): Promise<{ ms: number; answer: unknown[] }> {
    const path = "/api/v1/auth/signup";
    const start = performance.now();
    const request = { method: "POST", body: new Blob([deep]).stream(), duplex: "half", headers: { "content-type": "application/json" } };
    const response = await fetch(site.url + path, request);
    const text = await response.text();
    const ms = performance.now() - start;
    const { status, headers } = response;
    const { code } = await checkAnswer(site.url, { method: "POST", path, status, headers: Object.fromEntries(headers), text });
    return { ms, answer: [status, code] };
  }

  test("of 10,000 levels is refused at once, and leaves nothing in memory", { timeout: 120_000 }, async () => {
    const depth = 10_000;
    const bodies: [deep: string, code: string][] = [
      [nested("[", "]", depth), "INVALID_JSON"],
      ["[".repeat(depth), "INVALID_JSON"],
      [nested('{"a":', "}", depth), "EMAIL_INVALID"],
      [`{"email":${nested('{"a":', "}", depth)}}`, "EMAIL_INVALID"],
    ];
    const sendAll = async () => {
      const times: number[] = [];
      for (const [deep, code] of bodies) {
        const { ms, answer } = await send(deep);
        expect(answer).toEqual([400, code]);
        times.push(ms);
      }
      return times;
    };
    await sendAll();
    const before = residentMb();

    const times: number[] = [];
    for (let round = 0; round < scale(2, 50); round++) times.push(...(await sendAll()));

    const [ms, grownMb] = [Math.round(Math.max(...times)), Math.round(residentMb() - before)];
    const ok = ms <= REFUSED_WITHIN_MS && grownMb < MAX_GROWTH_MB;
    const measure = `${times.length} bodies ${depth} deep: slowest refusal, memory`;
    reportBar({ bar: "I3", measure, figure: `${ms} ms, ${grownMb} MB more`, ok });
    if (isFullScale) expect([ms <= REFUSED_WITHIN_MS, grownMb < MAX_GROWTH_MB]).toEqual([true, true]);
  });

  test("of as many levels as fit is refused like any other", async () => {
    const [arrays, objects] = [nested("[", "]", MEGABYTE / 2 - 1), nested('{"email":', "}", MEGABYTE / 10 - 1)];

    expect((await send(arrays)).answer).toEqual([400, "INVALID_JSON"]);
    expect((await send(objects)).answer).toEqual([400, "EMAIL_INVALID"]);
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
