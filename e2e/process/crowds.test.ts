import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { isFullScale, scale } from "#lib/testing/scale";
import { quantile } from "#lib/testing/timing";
import { type Api, apiOf } from "../api/client.ts";
import { startSite, type TestSite } from "../site.ts";
import { METRICS_TOKEN, readFigures } from "./figures.ts";

const LOGINS = scale(10, 50);
const SLOW_CLIENTS = scale(100, 500);
const READS = scale(40, 400);
/** The figures forget how late the loop was after a minute, when they are read. */
const FORGETS_AFTER_MS = scale(0, 61_000);

let site: TestSite;
let api: Api;

beforeAll(async () => {
  site = await startSite({ template: inject("databaseTemplate"), env: { METRICS_TOKEN } });
  api = apiOf(site.url);
  // A server that has been at work: what the first answers of a process compile is of its start.
  for (let count = 0; count < 20; count++) await fetch(site.url);
  for (let count = 0; count < LOGINS / 5; count++) await api.post("/auth/login", site.owner);
});

afterAll(async () => {
  await api?.close();
  await site?.remove();
});

/** How long each of `count` reads of the first page took, one after another, in milliseconds, the slowest last. */
async function readFirstPage(count: number): Promise<number[]> {
  const times: number[] = [];
  for (let read = 0; read < count; read++) {
    const start = performance.now();
    const response = await fetch(site.url);
    await response.text();
    expect(response.status).toBe(200);
    times.push(performance.now() - start);
  }
  return times;
}

const p99 = (times: number[]) => Math.round(quantile(times, 0.99));

/** How late the event loop of the server's slowest process was since that was last forgotten, in milliseconds. */
async function loopMax(): Promise<number> {
  const { figure } = await readFigures(site.url, METRICS_TOKEN);
  return Math.round((figure("heard_event_loop_lag_seconds", { quantile: "1" }) ?? Number.NaN) * 1000);
}

test("F9: readers are served while many sign in at once", { timeout: 240_000 }, async () => {
  await loopMax();
  await sleep(FORGETS_AFTER_MS);
  await loopMax();
  const logins = Promise.all(Array.from({ length: LOGINS }, () => api.post("/auth/login", site.owner)));
  const times = await readFirstPage(READS);
  const answers = await logins;

  const lag = await loopMax();
  const crowd = `while ${LOGINS} sign in`;
  const p99Ok = p99(times) < 200;
  reportBar({ bar: "F9", measure: `p99 of ${READS} reads of the first page ${crowd}`, figure: `${p99(times)} ms`, ok: p99Ok });
  // Before it is forgotten, it is mostly of the start.
  if (FORGETS_AFTER_MS > 0) reportBar({ bar: "F9", measure: `the latest that the event loop was ${crowd}`, figure: `${lag} ms`, ok: lag < 50 });
  // Two cores hash for one at a time: who would wait longer than a sign-in may is asked to come again.
  const signedIn = answers.filter(({ status }) => status === 200).length;
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(LOGINS - signedIn);
  expect(signedIn).toBeGreaterThan(isFullScale ? LOGINS / 2 : 0);
  if (isFullScale) expect([p99Ok, lag < 50], `${p99(times)}, ${lag} ms`).toEqual([true, true]);
});

// Of processor time a busy machine takes nothing away.
test.runIf(process.platform === "linux")("F9: looking at passwords costs the thread that answers next to nothing", { timeout: 120_000 }, async () => {
  const signIn = async () => expect((await api.post("/auth/login", site.owner)).status).toBe(200);
  await signIn();
  const before = ticksOf(site.pid);
  for (let login = 0; login < LOGINS; login++) await signIn();
  const after = ticksOf(site.pid);

  const [answering, all] = [after.answering - before.answering, after.all - before.all];
  reportBar({
    bar: "F9",
    measure: `processor time of ${LOGINS} sign-ins that the thread which answers took`,
    figure: `${Math.round((answering / all) * 100)} %`,
    ok: answering < all / 2,
  });
  expect(answering).toBeLessThan(all / 2);
});

/** How much processor time the server's first thread has used, and all of them together. */
function ticksOf(pid: number): { answering: number; all: number } {
  const ticks = (thread: string) => {
    // Behind the name, which may hold anything: user time is the twelfth field, system time the next (proc_pid_stat(5)).
    const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return Number(fields[11]) + Number(fields[12]);
  };
  const all = readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + ticks(thread), 0);
  return { answering: ticks(String(pid)), all };
}

test("F11: clients that never finish their request keep nobody else waiting", { timeout: 180_000 }, async () => {
  const { hostname, port } = new URL(site.url);
  const sockets: Socket[] = [];
  const answers: string[] = [];
  // Its head is whole: for the rest it has a minute, which whoever is slow with the head has not.
  const patient = connect(Number(port), hostname).on("error", () => {});
  let patientHeard = "";
  patient.on("data", (data) => (patientHeard += data.toString("latin1")));
  patient.write(`POST /api/v1/auth/login HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n`);
  for (let client = 0; client < SLOW_CLIENTS; client++) {
    const socket = connect(Number(port), hostname).on("error", () => {});
    socket.on("data", (data) => answers.push(data.toString("latin1").slice(0, "HTTP/1.1 408".length)));
    socket.write(`POST /api/v1/auth/login HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\nx-${client}: `);
    sockets.push(socket);
  }
  const drip = setInterval(() => {
    for (const socket of [patient, ...sockets]) if (socket.writable) socket.write("x");
  }, 1000);

  const times = await readFirstPage(READS);
  await vi.waitFor(() => expect(answers).toHaveLength(SLOW_CLIENTS), { timeout: 120_000, interval: 200 });
  const heardMeanwhile = patientHeard;
  clearInterval(drip);
  for (const socket of [patient, ...sockets]) socket.destroy();

  const ok = p99(times) < 1000;
  reportBar({ bar: "F11", measure: `p99 of ${READS} reads beside ${SLOW_CLIENTS} slow-loris clients`, figure: `${p99(times)} ms`, ok });
  expect((await api.get("/api/health/live")).status).toBe(200);
  // Each was told so and hung up on: nobody keeps a connection for good by a byte a second.
  expect([new Set(answers), heardMeanwhile]).toEqual([new Set(["HTTP/1.1 408"]), ""]);
  if (isFullScale) expect(p99(times)).toBeLessThan(1000);
});
