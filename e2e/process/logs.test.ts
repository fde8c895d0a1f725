import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { startSmtpServer, type TestSmtpServer } from "#lib/testing/smtp";
import { openBrowser } from "../api/browser.ts";
import { type Api, apiOf } from "../api/client.ts";
import { ask, askByLine } from "../api/requests.ts";
import { startServer, type TestServer } from "../server.ts";

const PASSWORD = "canary-password-Kf8wq2";
const CHANGED = "canary-changed-Zt51mv";
const WRONG = "canary-wrong-Jd03pa";
const OWNER = "canary-owner@mail.example";
const MEMBER = "canary-member@mail.example";
const STRANGER = "canary-stranger@mail.example";
/** Where more is sent at once than there is room for. How many of these are answered is for chance to say. */
/** Where a crowd sends what, in bytes: as much as is taken there. */
const CROWDS: Record<string, number> = { "/api/v1/auth/password/reset": 1_000_000, "/api/auth/callback/credentials": 16_000 };
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

type Line = { time: string; level: number; msg: string; req_id?: string; route?: string | null; status?: number; ms?: number };

let smtp: TestSmtpServer;
let server: TestServer;
/** What must stand in no line: what people know, hold, or are reached at. Secrets that the run made are added as they come. */
const canaries = new Set([PASSWORD, CHANGED, WRONG, OWNER, MEMBER, STRANGER, "canary-smtp-hush"]);
const requestIds: string[] = [];

beforeAll(async () => {
  smtp = await startSmtpServer({ login: { user: "heard", pass: "canary-smtp-hush" } });
  server = await startServer({ template: inject("databaseTemplate"), env: { LOG_LEVEL: "debug", MAIL: "smtp", SMTP_URL: smtp.url } });
  const api = apiOf(server.url);
  await tellByApi(api);
  await tellInBrowser();
  await misbehave();
  await leave("/api/v1/boards", "application/json");
  await leave("/login", "multipart/form-data; boundary=x");
  for (const [path, bytes] of Object.entries(CROWDS)) await crowdIn(path, bytes);
  await api.close();
  await server.stop();
}, 120_000);

afterAll(async () => {
  await server?.remove();
  await smtp?.close();
});

/** What programs do: an account's whole life, with every mistake that carries a secret. */
async function tellByApi(api: Api): Promise<void> {
  const signedIn = async (path: string, json: object) => {
    const { authToken } = (await api.post(path, json)).body.user;
    canaries.add(authToken);
    return authToken;
  };
  const ownerToken = await signedIn("/auth/setup", { email: OWNER, password: PASSWORD });
  await signedIn("/auth/signup", { email: MEMBER, password: PASSWORD });
  const memberToken = await signedIn("/auth/login", { email: MEMBER, password: PASSWORD });
  for (const json of [
    { email: MEMBER, password: WRONG },
    { email: STRANGER, password: WRONG },
    { email: MEMBER, password: [WRONG] },
    { email: [MEMBER], password: WRONG },
  ])
    await api.post("/auth/login", json);
  await api.post("/auth/signup", { email: MEMBER, password: WRONG });
  await api.call("POST", "/auth/login", { raw: `{"email":"${MEMBER}","password":"${WRONG}"`, headers: { "content-type": "application/json" } });
  await api.call("POST", "/auth/login", { raw: `email=${MEMBER}&password=${WRONG}`, headers: { "content-type": "application/x-www-form-urlencoded" } });
  await api.patch("/users/me", { name: "Member", password: { current: PASSWORD, new: CHANGED } }, { token: memberToken });
  await api.patch("/users/me", { password: { current: WRONG, new: CHANGED } }, { token: memberToken });
  await api.post("/auth/email/verify", {}, { token: memberToken });
  await api.post("/auth/password/reset", { email: MEMBER });
  await api.post("/boards", { name: "Logged" }, { token: ownerToken });
  await api.get("/users/me/sessions", { token: memberToken });
  await api.get("/boards", { headers: { authorization: `Basic ${WRONG}` } });
  const token = await mailedToken(MEMBER);
  await api.post("/auth/password/validate", { token, password: PASSWORD });
  await api.post("/auth/email/validate", { token });
  smtp.refuseRecipientsWith = `451 4.3.0 <${STRANGER}>: come again, ${STRANGER}`;
  await signedIn("/auth/signup", { email: STRANGER, password: PASSWORD });
  await vi.waitFor(() => expect(server.logs()).toContain("A job failed"), { timeout: 20_000, interval: 100 });
}

/** The token in the newest letter to `email` that has one. */
async function mailedToken(email: string): Promise<string> {
  return vi.waitFor(
    () => {
      const links = smtp.received.filter(({ to }) => to.includes(email)).flatMap(({ mail }) => [...(mail.text ?? "").matchAll(/token=([\w-]+)/g)]);
      for (const [, token = ""] of links) canaries.add(token);
      if (links.length < 3) throw new Error("The letters have not come yet");
      return links.at(-1)?.[1] ?? "";
    },
    { timeout: 20_000, interval: 100 },
  );
}

/** What people do, without JavaScript. */
async function tellInBrowser(): Promise<void> {
  const browser = openBrowser(server.url);
  await browser.submit("/login", { email: OWNER, password: WRONG });
  await browser.submit("/login", { email: OWNER, password: PASSWORD });
  await browser.fetch("/dashboard/users?q=canary-member%40mail.example");
  await browser.submit("/me", { "password.current": WRONG, "password.new": CHANGED });
  await browser.submit("/me", { name: "Canary" });
  for (const [path, fields] of [
    ["/reset-password", { email: MEMBER }],
    ["/signup", { email: MEMBER, password: WRONG }],
  ] as const)
    await openBrowser(server.url).submit(path, fields);
  await browser.fetch(`/reset-password?notice=sent&email=${MEMBER}`);
  for (const token of canaries) await browser.fetch(`/confirm-address?token=${encodeURIComponent(token)}`);
  await browser.signIn(OWNER, PASSWORD);
  await browser.signIn(OWNER, WRONG);
  const values = browser.setCookies.map((cookie) => /^[^=]+=([^;]{16,})/.exec(cookie)?.[1]).filter((value) => value !== undefined);
  for (const value of values.filter((one) => !one.startsWith("http"))) canaries.add(decodeURIComponent(value));
  await browser.signOut();
}

/** What nobody should do: secrets in addresses, line breaks in whatever takes them, and what is no HTTP. */
async function misbehave(): Promise<void> {
  const forged = "%0d%0a%7B%22level%22%3A30%2C%22msg%22%3A%22forged%22%7D%0A";
  for (const path of [
    `/${forged}`,
    `/api/v1/boards/${forged}`,
    `/boards/x%E2%80%A8${forged}`,
    `/people/${MEMBER}`,
    `/people/${encodeURIComponent(MEMBER)}`,
    `/find?q=${MEMBER}`,
    `/api/auth/signin?callbackUrl=${encodeURIComponent(WRONG)}`,
  ]) {
    const answer = await ask(server.url, path, {
      headers: {
        "user-agent": `${MEMBER} ${WRONG}`,
        referer: `${server.url}/?token=${WRONG}`,
        cookie: `next-auth.callback-url=${encodeURIComponent(WRONG)}`,
        "x-request-id": "forged",
      },
    });
    requestIds.push(answer.headers["x-request-id"] ?? "");
  }
  for (const line of [`GET http://heard:${WRONG}@127.0.0.1/boards HTTP/1.1`, `NONSENSE /${WRONG} HTTP/1.1`, `GET /?${"x".repeat(20_000)} HTTP/1.1`])
    requestIds.push((await askByLine(server.url, line)).headers["x-request-id"] ?? "");
  // A form that no page has.
  await fetch(`${server.url}/login`, { method: "POST", headers: { "content-type": "multipart/form-data; boundary=x" }, body: WRONG });
}

/** Goes away before all of a body is sent. */
async function leave(path: string, type: string): Promise<void> {
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n`);
  await sleep(200);
  socket.destroy();
}

const lines = () => server.logLines();
const parsed = () => lines().map((line): Line => JSON.parse(line));

/** Sends more at once than there is room for, of which nobody sends all: some are refused while theirs comes in, when its handler reads already. */
async function crowdIn(path: string, bytes: number): Promise<void> {
  const { port, hostname } = new URL(server.url);
  const head = `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
  const sockets = Array.from({ length: 200 }, () => connect(Number(port), hostname).on("error", () => {}));
  for (const socket of sockets) socket.write(head + "x".repeat(bytes - 1_000));
  await sleep(2_000);
  for (const socket of sockets) socket.destroy();
}

test("P3: no line, at the most talkative level, carries a password, a token, a cookie or an address", () => {
  const all = [...canaries].flatMap((canary) => [canary, encodeURIComponent(canary), Buffer.from(canary).toString("base64").replace(/=+$/, "")]);
  const found = lines().flatMap((line) => all.filter((canary) => line.includes(canary)).map((canary) => `${canary} in ${line}`));
  const addresses = lines().filter((line) => /canary-\w+(@|%40)/i.test(line));

  reportBar({
    bar: "P3",
    measure: `secrets and addresses of ${canaries.size} in ${lines().length} lines of log`,
    figure: found.length + addresses.length,
    ok: found.length + addresses.length === 0,
  });
  expect(found).toEqual([]);
  expect(addresses).toEqual([]);
  // Sessions, links, cookies: what the story itself could not know before.
  expect(canaries.size).toBeGreaterThan(15);
});

test("O7: every line is JSON, and every request's says which one, where, how it ended and how long it took", () => {
  const broken = lines().filter((line) => !isLine(line));
  const requests = broken.length > 0 ? [] : parsed().filter(({ msg }) => msg === "request");
  const incomplete = requests.filter(({ req_id, route, status, ms }) => !UUID.test(req_id ?? "") || route === undefined || !status || !Number.isInteger(ms));
  const whole = lines().length - broken.length - incomplete.length;

  reportBar({
    bar: "O7",
    measure: "lines of log that are JSON with all their fields",
    figure: `${whole}/${lines().length}`,
    ok: whole === lines().length,
  });
  // Whoever went before there was an answer got none.
  expect(requests.filter(({ status, route }) => status === 499 && !Object.hasOwn(CROWDS, route ?? ""))).toEqual(
    ["/api/v1/boards", "/login"].map((route) => expect.objectContaining({ method: "POST", route, aborted: true })),
  );
  expect(broken).toEqual([]);
  expect(incomplete).toEqual([]);
  expect(requests.length).toBeGreaterThan(50);
});

test("O7: the id in an answer is that of its line, and no client chooses it or writes a line of its own", () => {
  const requests = parsed().filter(({ msg }) => msg === "request");

  for (const requestId of requestIds) expect(requests.filter(({ req_id }) => req_id === requestId)).toHaveLength(1);
  expect(parsed().filter(({ msg }) => msg === "forged")).toEqual([]);
  for (const { route } of requests) expect(route ?? "").not.toMatch(/[\r\n?\u2028]/);
});

test("a body that breaks off is no error of ours", () => {
  expect(parsed().filter(({ level, msg }) => level >= 50 || msg === "request failed")).toEqual([]);
  // Next's own words of the form that broke off are kept for who looks for them.
  expect(parsed().filter(({ level, msg }) => level === 20 && msg.startsWith("⨯"))).not.toEqual([]);
});

test("what no page's form sends is no error of ours", () => {
  const unread = parsed().filter(({ msg }) => msg === "what was sent to a form could not be read");

  expect(new Set(unread.map(({ level }) => level))).toEqual(new Set([40]));
});

function isLine(line: string): boolean {
  try {
    const { time, level, msg } = JSON.parse(line) as Line;
    return !Number.isNaN(Date.parse(time)) && Number.isInteger(level) && typeof msg === "string";
  } catch {
    return false;
  }
}
