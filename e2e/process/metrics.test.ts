import pg from "pg";
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { startSmtpServer } from "#lib/testing/smtp";
import { type Api, apiOf, newEmail, PASSWORD } from "../api/client.ts";
import { ADDRESSES, OPERATIONS } from "../api/doors.ts";
import { startServer, type TestServer } from "../server.ts";
import { METRICS_TOKEN, readFigures } from "./figures.ts";

const MAX_SERIES = 500;

const database = process.env.TEST_DATABASE_URL ? "postgresql" : "embedded";
let server: TestServer;
let api: Api;
let owner: Api;

beforeAll(async () => {
  const dead = await startSmtpServer();
  await dead.close();
  const env = { METRICS_TOKEN, MAIL: "smtp", SMTP_URL: dead.url, RATE_LIMITS: "signup=2/1h" };
  server = await startServer({ template: inject("databaseTemplate"), env });
  api = apiOf(server.url);
  owner = api.as({ token: (await api.post("/auth/setup", { email: newEmail(), password: PASSWORD })).body.user.authToken });
});

afterAll(async () => {
  await api?.close();
  await server?.remove();
});

test("O8: without METRICS_TOKEN there is no such page, and with it nobody sees it who does not know the token", async () => {
  const site = inject("site").url;
  const answers = [
    await fetch(`${site}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } }),
    await fetch(`${server.url}/metrics`),
    await fetch(`${server.url}/metrics`, { headers: { authorization: "Bearer for-the-metrics-of-another" } }),
    await fetch(`${server.url}/metrics?token=${METRICS_TOKEN}`, { headers: { authorization: "Bearer " } }),
    await fetch(`${server.url}/metrics`, { method: "POST", headers: { authorization: `Bearer ${METRICS_TOKEN}` } }),
    await fetch(`${server.url}/metrics`, { headers: { authorization: `bearer ${METRICS_TOKEN}` } }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([404, 401, 401, 401, 405, 200]);
  expect(answers[5]?.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  expect(answers.slice(1).map(({ headers }) => headers.get("cache-control"))).toEqual(Array(5).fill("no-store"));
});

test("O8: after every address was asked for, the series are those of routes, not of ids, and fewer than 500", { timeout: 120_000 }, async () => {
  const id = crypto.randomUUID();
  const paths = [...Object.keys(ADDRESSES), ...Object.keys(OPERATIONS).map((operation) => `/api/v1${operation.split(" ")[1]}`)];
  for (const path of paths) await fetch(server.url + path.replaceAll(/\[+[^\]]+\]+|\{\w+\}/g, id), { redirect: "manual" }).then((answer) => answer.text());
  await owner.get(`/boards/${id}`);

  const { series, figure, text } = await readFigures(server.url, METRICS_TOKEN);

  reportBar({ bar: "O8", measure: "series after every address was asked for", figure: series.length, ok: series.length < MAX_SERIES });
  expect(series.length).toBeLessThan(MAX_SERIES);
  expect(text).not.toContain(id);
  for (const route of ["/", "/boards/[slug]", "/api/v1/boards/[boardId]", "/dashboard/users/[userId]", "/[...path]"])
    expect([route, figure("heard_http_request_duration_seconds_count", { route })]).toEqual([route, expect.any(Number)]);
});

test("O8: it tells of refusals, letters that fail, jobs that wait, the event loop and the connections", { timeout: 60_000 }, async () => {
  const signUps = [1, 2, 3].map(() => api.post("/auth/signup", { email: newEmail(), password: PASSWORD }));
  const statuses = (await Promise.all(signUps)).map(({ status }) => status).sort();
  await vi.waitFor(async () => expect((await readFigures(server.url, METRICS_TOKEN)).figure("heard_mail_failures_total")).toBeGreaterThan(0), {
    timeout: 30_000,
    interval: 200,
  });

  const { figure } = await readFigures(server.url, METRICS_TOKEN);

  expect(statuses).toEqual([201, 201, 429]);
  expect([figure("heard_http_responses_total", { status: "429" }), figure("heard_rate_limited_total", { limit: "signup" })]).toEqual([1, 1]);
  expect(figure("heard_database_up")).toBe(1);
  const waiting = ["created", "retry", "active"].map((state) => figure("heard_jobs", { queue: "mail", state }) ?? 0);
  expect(waiting.reduce((sum, count) => sum + count)).toBe(3);
  expect(figure("heard_event_loop_lag_seconds", { quantile: "1" })).toBeGreaterThan(0);
  expect(figure("process_resident_memory_bytes")).toBeGreaterThan(50_000_000);
  const open = figure("heard_pool_connections", { state: "open" });
  if (database === "postgresql") expect(open).toBeGreaterThan(0);
  else expect(open).toBeUndefined();
});

test("O8: it tells how long the oldest job that is due has been waiting", { timeout: 60_000 }, async () => {
  const oldest = async () => (await readFigures(server.url, METRICS_TOKEN)).figure("heard_job_oldest_seconds", { queue: "mail" });

  // One that is due again is looked for every few seconds.
  await vi.waitFor(async () => expect(await oldest()).toBeGreaterThan(0), { timeout: 50_000, interval: 50 });
});

// Only PostgreSQL has connections to wait for.
test.runIf(database === "postgresql")("O8: it tells how many wait for a connection", { timeout: 60_000 }, async () => {
  const waiting = async () => (await readFigures(server.url, METRICS_TOKEN)).figure("heard_pool_waiting");
  expect(await waiting()).toBe(0);
  const holder = new pg.Client({ connectionString: server.databaseUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('BEGIN; LOCK TABLE "Board" IN ACCESS EXCLUSIVE MODE');

  // Who is refused asks again: however late the figures are read, somebody waits.
  let isSeen = false;
  onTestFinished(() => {
    isSeen = true;
  });
  const keepAsking = async () => {
    while (!isSeen) await owner.get("/boards");
  };
  const crowd = Array.from({ length: 60 }, keepAsking);

  await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(0), { timeout: 20_000, interval: 20 });
  isSeen = true;
  await holder.query("ROLLBACK");
  await Promise.all(crowd);
});
