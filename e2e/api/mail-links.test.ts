import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { startSmtpServer, type TestSmtpServer } from "#lib/testing/smtp";
import { startServer, type TestServer } from "../server.ts";
import { type Api, apiOf, newEmail, PASSWORD } from "./client.ts";

const template = inject("databaseTemplate");
const TRUSTED = "https://app.example.com";
const POISONS: Record<string, string>[] = [
  { host: "evil.example" },
  { host: "evil.example:443" },
  { "x-forwarded-host": "evil.example" },
  { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
  { forwarded: "host=evil.example;proto=https" },
  { "x-host": "evil.example", "x-original-host": "evil.example", "x-forwarded-server": "evil.example" },
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: `${TRUSTED}.evil.example` },
  { origin: "javascript:alert(1)" },
  { origin: `${TRUSTED}/path` },
  { origin: `${TRUSTED}@evil.example` },
  { referer: "https://evil.example/signup" },
  { "x-heard-origin": "https://evil.example" },
  { host: "evil.example", origin: "https://evil.example", "x-forwarded-host": "evil.example" },
  { "x-forwarded-for": "1.1.1.1", "x-forwarded-host": "a, evil.example" },
  { "x-original-url": "https://evil.example/", "x-rewrite-url": "https://evil.example/" },
  { "x-forwarded-port": "8443", "x-forwarded-scheme": "https" },
  { "x-forwarded-prefix": "//evil.example" },
  { host: "127.0.0.1@evil.example" },
];

let smtp: TestSmtpServer;

beforeAll(async () => {
  smtp = await startSmtpServer();
});

afterAll(() => smtp?.close());

const startMailing = (env: Record<string, string> = {}) => startServer({ template, env: { MAIL: "smtp", SMTP_URL: smtp.url, ...env } });

/** The links in the newest letter to `email`, once it has come. */
async function linksTo(email: string, { newerThan = 0 } = {}): Promise<string[]> {
  const letter = await vi.waitFor(
    () => {
      const found = smtp.received.slice(newerThan).findLast(({ to }) => to.includes(email));
      if (!found) throw new Error(`No letter to ${email} has come`);
      return found;
    },
    { timeout: 15_000, interval: 50 },
  );
  expect(letter.to).toEqual([email]);
  const inText = [...(letter.mail.text ?? "").matchAll(/https?:\/\/\S*[^\s.]/g)].map(([link]) => link);
  const inHtml = [...(letter.mail.html ?? "").matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = ""]) => link.replaceAll("&amp;", "&"));
  return [...inText, ...inHtml];
}

async function signUp(api: Api, headers: Record<string, string> = {}): Promise<{ email: string; authToken: string }> {
  const email = newEmail();
  const answer = await api.post("/auth/signup", { email, password: PASSWORD }, { headers });
  expect(answer.status).toBe(201);
  return { email, authToken: answer.body.user.authToken };
}

const origins = (links: string[]) => [...new Set(links.map((link) => new URL(link).origin))];

describe("on a site that is set up", () => {
  let server: TestServer;
  let api: Api;

  beforeAll(async () => {
    server = await startMailing({ ALLOWED_ORIGINS: TRUSTED });
    api = apiOf(server.url);
    await api.post("/auth/setup", { email: newEmail(), password: PASSWORD }, { headers: { origin: "https://feedback.example.org" } });
  });

  afterAll(async () => {
    await api?.close();
    await server?.remove();
  });

  test("A14: no header makes a mailed link lead elsewhere", async () => {
    const { email, authToken } = await signUp(api);
    await linksTo(email);
    const found: string[][] = [];

    for (const headers of POISONS) {
      const newerThan = smtp.received.length;
      expect((await api.post("/auth/email/verify", {}, { token: authToken, headers })).status).toBe(200);
      found.push(origins(await linksTo(email, { newerThan })));
    }

    const kept = found.filter((links) => links.join() === "https://feedback.example.org").length;
    reportBar({
      bar: "A14",
      measure: "poisoned requests whose letter still links to the site",
      figure: `${kept}/${POISONS.length}`,
      ok: kept === POISONS.length,
    });
    expect(found).toEqual(POISONS.map(() => ["https://feedback.example.org"]));
  });

  test("A14: nor at sign-up, in a link or in an avatar's address", async () => {
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example", origin: "https://evil.example" };
    const email = newEmail();

    const { user } = (await api.post("/auth/signup", { email, password: PASSWORD }, { headers })).body;

    expect(new URL(user.avatar).origin).toBe("https://feedback.example.org");
    expect(origins(await linksTo(email))).toEqual(["https://feedback.example.org"]);
  });

  test("an origin in ALLOWED_ORIGINS gets links to itself", async () => {
    const { email } = await signUp(api, { origin: TRUSTED });

    expect(origins(await linksTo(email))).toContain(TRUSTED);
  });

  test("the mailed link confirms the address once, and its token signs nobody in", async () => {
    const { email, authToken } = await signUp(api);
    const token = tokenIn(await linksTo(email));
    const asToken = await api.get("/users/me", { token });

    const [first, second] = [await api.post("/auth/email/validate", { token }), await api.post("/auth/email/validate", { token })];

    expect([asToken.status, asToken.body.code]).toEqual([401, "INVALID_TOKEN"]);
    expect([first.status, first.body]).toEqual([200, { verify: { success: true } }]);
    expect([second.status, second.body.code]).toEqual([400, "INVALID_TOKEN"]);
    expect((await api.get("/users/me", { token: authToken })).body.user.isVerified).toBe(true);
    expect((await api.post("/auth/email/verify", {}, { token: authToken })).body.code).toBe("EMAIL_VERIFIED");
  });

  test("A13: looking at what letters link to, as a scanner of mail does, changes nothing", async () => {
    const { email, authToken } = await signUp(api);
    const inConfirmation = await linksTo(email);
    const newerThan = smtp.received.length;
    expect((await api.post("/auth/password/reset", { email })).status).toBe(200);
    const inReset = await linksTo(email, { newerThan });
    const looks = [...inConfirmation, ...inReset].flatMap((link) => ["GET", "HEAD"].map((method) => ({ method, link: new URL(link) })));

    let harmless = 0;
    for (const { method, link } of looks) {
      await fetch(`${server.url}${link.pathname}${link.search}`, { method, redirect: "manual" });
      const { status, body } = await api.get("/users/me", { token: authToken });
      if (status === 200 && !body.user.isVerified) harmless++;
    }
    expect(looks.length).toBeGreaterThanOrEqual(4);
    expect(harmless).toBe(looks.length);
    expect((await api.post("/auth/login", { email, password: PASSWORD })).status).toBe(200);

    // Each link is left to its reader.
    const confirmed = await api.post("/auth/email/validate", { token: tokenIn(inConfirmation) });
    const reset = await api.post("/auth/password/validate", { token: tokenIn(inReset), password: "a whole new password" });
    const left = [confirmed, reset].filter(({ status }) => status === 200).length;
    reportBar({
      bar: "A13",
      measure: "looks at mailed links that changed nothing; kinds of links that still worked",
      figure: `${harmless}/${looks.length}; ${left}/2`,
      ok: harmless === looks.length && left === 2,
    });
    expect([confirmed.status, reset.status]).toEqual([200, 200]);
  });

  test("a second letter makes the first one's link useless", async () => {
    const { email, authToken } = await signUp(api);
    const first = tokenIn(await linksTo(email));
    const newerThan = smtp.received.length;
    await api.post("/auth/email/verify", {}, { token: authToken });
    const second = tokenIn(await linksTo(email, { newerThan }));

    expect((await api.post("/auth/email/validate", { token: first })).body.code).toBe("INVALID_TOKEN");
    expect((await api.post("/auth/email/validate", { token: second })).status).toBe(200);
  });

  test("C9: of 20 uses of one link at once exactly one succeeds", async () => {
    const { email } = await signUp(api);
    const token = tokenIn(await linksTo(email));

    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post("/auth/email/validate", { token })));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
  });

  test.each([{}, { token: 5 }, { token: null }, { token: "" }, { token: "wrong" }, { token: "\u0000" }, { token: "x".repeat(100_000) }])(
    "%j validates nothing",
    async (json) => {
      expect((await api.post("/auth/email/validate", json)).status).toBe(400);
    },
  );

  test("an authToken is no mail link's token", async () => {
    const { authToken } = await signUp(api);

    expect((await api.post("/auth/email/validate", { token: authToken })).body.code).toBe("INVALID_TOKEN");
  });
});

test("SITE_URL is where links lead, whatever the set-up's origin was", async () => {
  const server = await startMailing({ SITE_URL: "https://real.example.net" });
  onTestFinished(server.remove);
  const api = apiOf(server.url);
  const email = newEmail();

  const { user } = (await api.post("/auth/setup", { email, password: PASSWORD }, { headers: { origin: "https://evil.example", host: "evil.example" } })).body;

  expect(origins(await linksTo(email))).toEqual(["https://real.example.net"]);
  expect(new URL(user.avatar).origin).toBe("https://real.example.net");
  await api.close();
});

function tokenIn(links: string[]): string {
  return links.map((link) => new URL(link).searchParams.get("token")).find(Boolean) ?? "";
}
