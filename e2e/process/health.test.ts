import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, inject, onTestFinished, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { openGate } from "#lib/testing/gate";
import { scale } from "#lib/testing/scale";
import { type Answer, type Api, apiOf } from "../api/client.ts";
import { startServer } from "../server.ts";
import { startSite } from "../site.ts";

const PROBES = 200;
const LIVE = "/api/health/live";
const READY = "/api/health/ready";
const postgres = process.env.TEST_DATABASE_URL;
const database = postgres ? "postgresql" : "embedded";
const template = inject("databaseTemplate");
// Whoever is looked up is asked for in the database: a probe with either of these must not be.
const CALLERS: Record<string, string>[] = [{}, { authorization: "Bearer dead" }, { cookie: "heard.session=x; __Host-heard.session=x" }];

/** What so many probes get, one after another, and the time within which 19 of 20 get it. */
async function probe(api: Api, path: string, count: number): Promise<{ answers: Answer[]; withinMs: number }> {
  const answers: Answer[] = [];
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const askedAt = performance.now();
    answers.push(await api.get(path, { headers: CALLERS[index % CALLERS.length] }));
    times.push(performance.now() - askedAt);
  }
  return { answers, withinMs: Math.ceil(times.sort((one, other) => one - other)[Math.ceil(count * 0.95) - 1] ?? 0) };
}

const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];

test("O2: the probe of life answers whoever sends it, and says nothing but that", async () => {
  const api = apiOf(inject("site").url);
  await probe(api, LIVE, PROBES);
  const { answers, withinMs } = await probe(api, LIVE, PROBES);
  await api.close();

  reportBar({ bar: "O2", measure: `19 of 20 probes of life answered within, ms`, figure: withinMs, database, ok: withinMs <= 10 });
  expect([statuses(answers), new Set(answers.map(({ text }) => text))]).toEqual([[200], new Set(['{"status":"ok"}'])]);
});

test.runIf(postgres)("O2: with the database gone, or silent, it lives and is not ready", { timeout: 60_000 }, async () => {
  const gate = await openGate(new URL(postgres ?? ""));
  const server = await startServer({ template, through: gate.port });
  onTestFinished(server.remove);
  const api = apiOf(server.url);
  await probe(api, LIVE, PROBES);

  gate.stall();
  const silent = { live: await probe(api, LIVE, 30), ready: await probe(api, READY, 3) };
  gate.shut();
  const gone = { live: await probe(api, LIVE, 30), ready: await probe(api, READY, 3) };
  await api.close();

  const liveMs = Math.max(silent.live.withinMs, gone.live.withinMs);
  const readyMs = Math.max(silent.ready.withinMs, gone.ready.withinMs);
  reportBar({
    bar: "O2",
    measure: "database silent or gone: 19 of 20 probes of life, of readiness answered within, ms",
    figure: `${liveMs}, ${readyMs}`,
    database,
    ok: liveMs <= 10 && readyMs <= 3500,
  });
  expect(statuses([...silent.live.answers, ...gone.live.answers])).toEqual([200]);
  for (const { status, text } of [...silent.ready.answers, ...gone.ready.answers]) expect([status, text]).toEqual([503, '{"status":"database"}']);
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

  reportBar({ bar: "O2", measure: "while draining: an open request, then readiness", figure: found.replace("100 ", ""), database, ok: isSaid });
  const { code, tookMs } = await stopped;
  const isGood = isSaid && code === 0 && tookMs <= 10_000;
  reportBar({
    bar: "O3",
    measure: "SIGTERM amid a request: its answer, readiness; exit code, after ms",
    figure: `${found.replace("100 ", "")}; ${code}, ${tookMs}`,
    database,
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
