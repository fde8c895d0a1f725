import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, inject, onTestFinished, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { openGate } from "#lib/testing/gate";
import { isFullScale, scale } from "#lib/testing/scale";
import { quantile } from "#lib/testing/timing";
import { type Answer, type Api, apiOf } from "../api/client.ts";
import { startServer } from "../server.ts";
import { startSite } from "../site.ts";

const PROBES = scale(50, 1000);
const PROBES_WITHOUT_DATABASE = scale(9, 1000);
const LIVE_MS = 10;
const READY_MS = 3_000;
const LIVE = "/api/health/live";
const READY = "/api/health/ready";
const postgres = process.env.TEST_DATABASE_URL;
const template = inject("databaseTemplate");
// Whoever is looked up is asked for in the database: a probe with either of these must not be.
const CALLERS: Record<string, string>[] = [{}, { authorization: "Bearer dead" }, { cookie: "heard.session=x; __Host-heard.session=x" }];

/** What so many probes get, one after another, and in how many milliseconds half and 99 of 100 of them do. */
async function probe(api: Api, path: string, count: number): Promise<{ answers: Answer[]; medianMs: number; p99Ms: number }> {
  const answers: Answer[] = [];
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const askedAt = performance.now();
    answers.push(await api.get(path, { headers: CALLERS[index % CALLERS.length] }));
    times.push(performance.now() - askedAt);
  }
  return { answers, medianMs: Math.ceil(quantile(times, 0.5)), p99Ms: Math.ceil(quantile(times, 0.99)) };
}

const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];

test("O2: the probe of life answers whoever sends it, and says nothing but that", async () => {
  const api = apiOf(inject("site").url);
  await probe(api, LIVE, PROBES);
  const { answers, medianMs, p99Ms } = await probe(api, LIVE, PROBES);
  await api.close();

  reportBar({ bar: "O2", measure: `median and p99 of ${PROBES} probes of life, ms`, figure: `${medianMs}, ${p99Ms}`, ok: p99Ms <= LIVE_MS });
  expect([statuses(answers), new Set(answers.map(({ text }) => text))]).toEqual([[200], new Set(['{"status":"ok"}'])]);
  if (isFullScale) expect(p99Ms).toBeLessThanOrEqual(LIVE_MS);
});

test.runIf(postgres)("O2: with the database gone, or silent, it lives and is not ready", { timeout: 120_000 }, async () => {
  const gate = await openGate(new URL(postgres ?? ""));
  const server = await startServer({ template, through: gate.port });
  onTestFinished(server.remove);
  const api = apiOf(server.url);
  await probe(api, LIVE, PROBES);

  gate.stall();
  const silent = { live: await probe(api, LIVE, PROBES_WITHOUT_DATABASE), ready: await probe(api, READY, 3) };
  gate.shut();
  const gone = { live: await probe(api, LIVE, PROBES_WITHOUT_DATABASE), ready: await probe(api, READY, 3) };
  await api.close();

  const liveMs = Math.max(silent.live.p99Ms, gone.live.p99Ms);
  const readyMs = Math.max(silent.ready.p99Ms, gone.ready.p99Ms);
  reportBar({
    bar: "O2",
    measure: "database silent or gone: p99 of probes of life, of readiness, ms",
    figure: `${liveMs}, ${readyMs}`,
    ok: liveMs <= LIVE_MS && readyMs <= READY_MS,
  });
  expect(statuses([...silent.live.answers, ...gone.live.answers])).toEqual([200]);
  for (const { status, text } of [...silent.ready.answers, ...gone.ready.answers]) expect([status, text]).toEqual([503, '{"status":"database"}']);
  if (isFullScale) expect([liveMs <= LIVE_MS, readyMs <= READY_MS], `${liveMs}, ${readyMs} ms`).toEqual([true, true]);
});

test("O2, O3: while it finishes what is open it says that it is stopping, and then ends", async () => {
  const site = await startSite({ template });
  onTestFinished(site.remove);
  // On one connection: a request that is still being sent when the signal comes, and, behind it, the probe.
  const body = JSON.stringify({ email: site.owner.email, password: site.owner.password });
  const head = (line: string, ...more: string[]) => [`${line} HTTP/1.1`, "Host: 127.0.0.1", ...more, "", ""].join("\r\n");
  const socket = connect(Number(new URL(site.url).port), "127.0.0.1");
  let heard = "";
  socket.setEncoding("utf8").on("data", (text) => (heard += text));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(head("POST /api/v1/auth/login", "Content-Type: application/json", `Content-Length: ${body.length}`, "Expect: 100-continue"));
  await expect.poll(() => heard).toContain("100 Continue");
  const signalledAt = performance.now();
  const stopped = site.stop().then((code) => ({ code, tookMs: Math.round(performance.now() - signalledAt) }));
  await expect.poll(() => site.logs()).toContain('"stopping"');
  socket.write(`${body}${head(`GET ${READY}`)}`);
  await closed;
  const found = [...heard.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => status).join(" ");
  const isSaid = found === "100 200 503" && heard.includes('{"status":"stopping"}');

  reportBar({ bar: "O2", measure: "while draining: an open request, then readiness", figure: found.replace("100 ", ""), ok: isSaid });
  const { code, tookMs } = await stopped;
  const isGood = isSaid && code === 0 && tookMs <= 10_000;
  reportBar({
    bar: "O3",
    measure: "SIGTERM amid a request: its answer, readiness; exit code, after ms",
    figure: `${found.replace("100 ", "")}; ${code}, ${tookMs}`,
    ok: isGood,
  });
  expect([found, isSaid, code]).toEqual(["100 200 503", true, 0]);
});

test("O3: a crowd that connected before SIGTERM is answered, though the process had taken up none of it", async () => {
  const site = await startSite({ template });
  onTestFinished(site.remove);
  const { port } = new URL(site.url);
  const body = JSON.stringify({ name: "In time" });
  const head = ["POST /api/v1/boards HTTP/1.1", "Host: 127.0.0.1", "Connection: close", "Content-Type: application/json"];
  const question = [...head, `Content-Length: ${body.length}`, `Authorization: Bearer ${site.owner.authToken}`, "", body].join("\r\n");
  await fetch(`${site.url}/api/v1/boards`);

  // What stands still takes nothing up; the kernel connects for it.
  process.kill(site.pid, "SIGSTOP");
  const answers = await Promise.all(Array.from({ length: scale(16, 100) }, () => askOnceConnected(Number(port), question)));
  const stopped = site.stop();
  process.kill(site.pid, "SIGCONT");
  const statuses = await Promise.all(answers.map(({ status }) => status));

  expect(statuses).toEqual(statuses.map(() => "201"));
  expect(await stopped).toBe(0);
});

/** Settles when connected, with the status that the answer will have, or the error that comes instead. */
async function askOnceConnected(port: number, question: string): Promise<{ status: Promise<string> }> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(question);
  const status = text(socket).then(
    (answer) => answer.slice(9, 12),
    (error: Error) => error.message,
  );
  return { status };
}
