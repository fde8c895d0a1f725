import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { createDatabase } from "#lib/testing/postgres";
import { type ResendMood, startResendServer } from "#lib/testing/resend";
import { scale } from "#lib/testing/scale";
import { emptySettings } from "#lib/testing/settings";
import { startSmtpServer } from "#lib/testing/smtp";
import { apiOf, newEmail, PASSWORD } from "../api/client.ts";
import { startServer } from "../server.ts";
import { startSite } from "../site.ts";
import { readRows } from "../stored.ts";
import { METRICS_TOKEN, readFigures } from "./figures.ts";
import { startCluster } from "./own-cluster.ts";
import { canUnshare } from "./run.ts";

const REPLICAS = scale(3, 10);

const admin = process.env.TEST_DATABASE_URL;
const template = inject("databaseTemplate");

test("F4: with the mail server dead people sign up all the same, and every letter goes out once it lives", { timeout: 120_000 }, async () => {
  const dead = await startSmtpServer();
  await dead.close();
  const server = await startServer({ template, env: { MAIL: "smtp", SMTP_URL: dead.url } });
  onTestFinished(server.remove);
  const api = apiOf(server.url);
  const emails = [newEmail(), newEmail(), newEmail()];

  const signUpMs: number[] = [];
  const tokens: string[] = [];
  for (const [index, email] of emails.entries()) {
    const askedAt = performance.now();
    const { status, body } = await api.post(index === 0 ? "/auth/setup" : "/auth/signup", { email, password: PASSWORD });
    if (index > 0) signUpMs.push(Math.round(performance.now() - askedAt));
    expect(status).toBe(201);
    tokens.push(body.user.authToken);
  }
  expect((await api.post("/auth/email/verify", {}, { token: tokens[1] })).status).toBe(200);
  if (admin)
    await vi.waitFor(async () => expect(await letters()).toContainEqual({ status: "QUEUED", lastError: expect.stringMatching(/./) }), {
      timeout: 20_000,
      interval: 200,
    });
  const alive = await startSmtpServer({ port: dead.port });
  // One for each account, and one more that was asked for.
  const due = [...emails, emails[1] ?? ""].sort();
  await vi.waitFor(() => expect(alive.received.flatMap(({ to }) => to).sort()).toEqual(due), { timeout: 60_000, interval: 200 });
  // The sender notes what it sent just after.
  await vi.waitFor(async () => expect(admin ? await unsent() : 0).toBe(0), { timeout: 30_000, interval: 200 });
  await api.close();
  await server.stop();
  const stored = await letters();
  await alive.close();
  const sent = alive.received.length;
  reportBar({
    bar: "F4",
    measure: "mail server dead: slowest sign-up, ms; letters that went out once it lived",
    figure: `${Math.max(...signUpMs)}; ${sent}/${stored.length}`,
    ok: Math.max(...signUpMs) <= 1000 && sent >= due.length,
  });

  expect(sent).toBe(due.length);
  expect(stored.map(({ status }) => status)).toEqual(due.map(() => "SENT"));

  function letters(): Promise<{ status: string; lastError: string | null }[]> {
    return readRows(server, 'SELECT status::text, "lastError" FROM "Mail"');
  }
  async function unsent(): Promise<number> {
    return (await letters()).filter(({ status }) => status !== "SENT").length;
  }
});

const OUTAGES: { mood: ResendMood; words: string }[] = [
  { mood: "accepting-then-silent", words: "Resend gave no answer within 10 seconds." },
  { mood: "rate-limited", words: "429 Too many requests" },
  { mood: "unavailable", words: "503 Service unavailable" },
];

test("F4: with the mail service slow, refusing or away people sign up all the same, and each letter arrives once when it is well", {
  timeout: 180_000,
}, async () => {
  const resend = await startResendServer();
  onTestFinished(resend.close);
  const site = await startSite({ template, env: { MAIL: "resend", RESEND_API_KEY: "re_secret", RESEND_BASE_URL: resend.url, METRICS_TOKEN } });
  onTestFinished(site.remove);
  const api = apiOf(site.url);
  await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 20_000, interval: 200 });
  resend.delivered.length = 0;

  const due: string[] = [];
  const tookMs: number[] = [];
  for (const { mood, words } of OUTAGES) {
    resend.mood = mood;
    const email = newEmail();
    const askedAt = performance.now();
    const { status, body } = await api.post("/auth/signup", { email, password: PASSWORD });
    tookMs.push(Math.round(performance.now() - askedAt));
    // Where no answer ever comes, nobody waited for it.
    const hasWaited = mood === "accepting-then-silent" && firstAttemptsThatEndedIn(words) > 0;
    expect([status, hasWaited]).toEqual([201, false]);
    due.push(email);
    if (mood === "unavailable") {
      expect((await api.post("/auth/email/verify", {}, { token: body.user.authToken })).status).toBe(200);
      due.push(email);
    }
    await vi.waitFor(() => expect(firstAttemptsThatEndedIn(words)).toBe(due.filter((to) => to === email).length), { timeout: 40_000, interval: 200 });
  }
  resend.mood = "well";
  await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 90_000, interval: 500 });

  const links = due.map((email) => resend.delivered.findLast(({ to }) => to.includes(email))?.text.match(/token=([\w-]+)/)?.[1] ?? "");
  const confirmed: number[] = [];
  for (const token of new Set(links)) confirmed.push((await api.post("/auth/email/validate", { token })).status);
  await api.close();
  await site.stop();
  const stored = await readRows<{ status: string }>(site, 'SELECT status::text FROM "Mail"');
  const arrived = resend.delivered.flatMap(({ to }) => to).sort();
  const isOnce = arrived.join() === due.toSorted().join();
  reportBar({
    bar: "F4",
    measure: "mail service slow, refusing, away: slowest sign-up, ms; letters, and deliveries once it is well",
    figure: `${Math.max(...tookMs)}; ${due.length}, ${arrived.length}`,
    ok: Math.max(...tookMs) <= 1000 && isOnce,
  });

  expect(arrived).toEqual(due.toSorted());
  expect(stored.map(({ status }) => status)).toEqual(["SENT", ...due.map(() => "SENT")]);
  expect(confirmed).toEqual([200, 200, 200]);

  /** How many letters are still to go out. */
  async function waiting(): Promise<number> {
    const { series, figure } = await readFigures(site.url, METRICS_TOKEN);
    const ours = series.filter(({ name, labels }) => name === "heard_jobs" && labels.queue === "mail" && labels.state !== "failed");
    expect(figure("heard_database_up")).toBe(1);
    return ours.reduce((sum, { value }) => sum + value, 0);
  }
  function firstAttemptsThatEndedIn(words: string): number {
    const lines = site.logLines().map((line): { queue?: string; attempt?: number; error?: string } => JSON.parse(line));
    return lines.filter(({ queue, attempt, error }) => queue === "mail" && attempt === 1 && error === words).length;
  }
});

test.runIf(admin)(`F15: ${REPLICAS} servers that start at once on an empty database migrate it once, and set it up once`, { timeout: 240_000 }, async () => {
  const databaseUrl = await createDatabase(admin ?? "");
  const startedAt = Date.now();

  const replicas = await Promise.all(
    Array.from({ length: REPLICAS }, () => startServer({ from: { databaseUrl, dataDir: mkdtempSync(join(tmpdir(), "heard-e2e-")) }, env: { MAIL: "outbox" } })),
  );
  const readyMs = Date.now() - startedAt;
  for (const replica of replicas) onTestFinished(replica.remove);

  const migrations = await readRows<{ migration_name: string; finished: boolean }>(
    { databaseUrl, dataDir: "" },
    'SELECT migration_name, finished_at IS NOT NULL AS finished FROM "_prisma_migrations"',
  );
  const apis = replicas.map(({ url }) => apiOf(url));
  const answers = await Promise.all(
    apis.flatMap((api, replica) => [1, 2, 3].map((index) => api.post("/auth/setup", { email: `owner-${replica}-${index}@example.com`, password: PASSWORD }))),
  );
  for (const api of apis) await api.close();
  for (const replica of replicas) await replica.stop();
  const expected = readdirSync("prisma/migrations", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const migrators = replicas.filter((replica) => /Migrating the database/.test(replica.logs())).length;
  reportBar({
    bar: "F15",
    measure: `of ${REPLICAS} replicas booting at once on an empty database: migrating, ready; ms until all were`,
    figure: `${migrators}, ${replicas.length}; ${readyMs}`,
    ok: migrators === 1 && readyMs <= 60_000,
  });

  expect([migrators, migrations]).toEqual([1, expected.map((entry) => ({ migration_name: entry.name, finished: true }))]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: REPLICAS * 3 - 1 }, () => 403)]);
});

test.runIf(canUnshare())("F14: without any network but the machine's own loopback it starts, is set up and takes boards", { timeout: 120_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "heard-e2e-"));
  const cluster = admin ? await startCluster(admin) : null;
  onTestFinished(() => cluster?.remove());
  const place = { DATA_DIR: dataDir, DATABASE_URL: cluster?.socketUrl ?? "" };
  const env = { ...process.env, ...emptySettings(), NODE_ENV: "production" as const, PORT: "4490", ...place, MAIL: "outbox" };
  const server = spawn("unshare", ["-n", "sh", "-c", 'ip link set lo up && exec "$0" front/main.ts', process.execPath], { env, stdio: "ignore" });
  await vi.waitFor(() => expect(networkOf(server.pid)).not.toBe(networkOf("self")), { timeout: 10_000 });

  const said = await promisify(execFile)(
    "nsenter",
    ["-t", String(server.pid), "-n", process.execPath, "e2e/process/set-up-and-list.ts", "http://127.0.0.1:4490"],
    { timeout: 60_000 },
  ).finally(() => end(server));

  await rm(dataDir, { recursive: true });
  reportBar({ bar: "F14", measure: "without network: set-up, board, list", figure: said.stdout.trim(), ok: said.stdout.trim() === "201 201 1" });
  expect(said.stdout.trim()).toBe("201 201 1");
});

function networkOf(pid: number | "self" | undefined): string {
  return readlinkSync(`/proc/${pid}/ns/net`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  await ended;
}
