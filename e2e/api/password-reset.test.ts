import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { startSmtpServer, type TestSmtpServer } from "#lib/testing/smtp";
import { startServer, type TestServer } from "../server.ts";
import { type Api, apiOf, newEmail, PASSWORD } from "./client.ts";

const NEW_PASSWORD = "a whole new password";
const DONE = { reset: { success: true } };
const POISONS: Record<string, string>[] = [
  { host: "evil.example" },
  { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
  { origin: "https://evil.example" },
  { referer: "https://evil.example/reset-password", "x-heard-origin": "https://evil.example" },
];

let smtp: TestSmtpServer;
let server: TestServer;
let api: Api;

beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startServer({ template: inject("databaseTemplate"), env: { MAIL: "smtp", SMTP_URL: smtp.url } });
  api = apiOf(server.url);
  await api.post("/auth/setup", { email: newEmail(), password: PASSWORD }, { headers: { origin: "https://feedback.example.org" } });
});

afterAll(async () => {
  await api?.close();
  await server?.remove();
  await smtp?.close();
});

async function signUp(): Promise<{ email: string; authToken: string }> {
  const email = newEmail();
  const { user } = (await api.post("/auth/signup", { email, password: PASSWORD })).body;
  return { email, authToken: user.authToken };
}

/** The link in the newest letter to `email` that holds one for a new password, once it has come. */
async function linkTo(email: string, { newerThan = 0 } = {}): Promise<URL> {
  return vi.waitFor(
    () => {
      const letter = smtp.received.slice(newerThan).findLast(({ to, mail }) => to.includes(email) && mail.text?.includes("/reset-password?token="));
      const [link] = /https?:\/\/\S+token=[\w-]+/.exec(letter?.mail.text ?? "") ?? [];
      if (!link) throw new Error(`No link has come to ${email}`);
      return new URL(link);
    },
    { timeout: 15_000, interval: 50 },
  );
}

const tokenIn = (link: URL) => link.searchParams.get("token") ?? "";
const logIn = async (email: string, password: string) => (await api.post("/auth/login", { email, password })).status;

test("the mailed link's token sets a new password once, and ends every session", async () => {
  const { email, authToken } = await signUp();
  const asked = await api.post("/auth/password/reset", { email: ` ${email.toUpperCase()} ` });
  const link = await linkTo(email);
  await fetch(`${server.url}${link.pathname}${link.search}`, { redirect: "manual" });

  const [first, second] = [
    await api.post("/auth/password/validate", { token: tokenIn(link), password: NEW_PASSWORD }),
    await api.post("/auth/password/validate", { token: tokenIn(link), password: NEW_PASSWORD }),
  ];

  expect([asked.status, asked.body]).toEqual([200, DONE]);
  expect([first.status, first.body]).toEqual([200, DONE]);
  expect([second.status, second.body.code]).toEqual([400, "INVALID_TOKEN"]);
  expect((await api.get("/users/me", { token: authToken })).body.code).toBe("INVALID_TOKEN");
  expect([await logIn(email, PASSWORD), await logIn(email, NEW_PASSWORD)]).toEqual([401, 200]);
});

test("a password of a wrong type is refused by its name, and leaks nothing; the link stays good", async () => {
  const { email } = await signUp();
  await api.post("/auth/password/reset", { email });
  const token = tokenIn(await linkTo(email));

  for (const password of [{}, [], ["x"], 7, true, null, { not: "" }, { contains: "" }, undefined]) {
    const { status, body, text } = await api.post("/auth/password/validate", { token, password });
    expect([status, body.code, body.message]).toEqual([400, expect.stringMatching(/^(PASSWORD_|VALIDATION_ERROR$)/), expect.stringMatching(/password/i)]);
    expect(text).not.toContain(email);
  }
  expect((await api.post("/auth/password/validate", { token, password: NEW_PASSWORD })).status).toBe(200);
});

test("an address without an account is answered alike, and gets no letter", async () => {
  const { email } = await signUp();
  const stranger = newEmail();

  // The stranger first, so that a letter to them would mostly have come before the other's.
  const answers = [await api.post("/auth/password/reset", { email: stranger }), await api.post("/auth/password/reset", { email })];

  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [200, JSON.stringify(DONE)],
    [200, JSON.stringify(DONE)],
  ]);
  await linkTo(email);
  expect(smtp.received.filter(({ to }) => to.includes(stranger))).toEqual([]);
});

test("no header makes the link lead elsewhere", async () => {
  const found: string[] = [];

  for (const headers of POISONS) {
    const { email } = await signUp();
    expect((await api.post("/auth/password/reset", { email }, { headers })).status).toBe(200);
    found.push((await linkTo(email)).origin);
  }

  expect(found).toEqual(POISONS.map(() => "https://feedback.example.org"));
});

test("of 20 uses of one link at once exactly one succeeds", async () => {
  const { email } = await signUp();
  await api.post("/auth/password/reset", { email });
  const token = tokenIn(await linkTo(email));

  const answers = await Promise.all(Array.from({ length: 20 }, () => api.post("/auth/password/validate", { token, password: NEW_PASSWORD })));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status, body }) => status === 400 && body.code === "INVALID_TOKEN")).toHaveLength(19);
});

test("what is no link's token, such as a session's, sets no password", async () => {
  const { authToken } = await signUp();

  for (const token of [authToken, "", "wrong", "x".repeat(100_000), 5, null])
    expect((await api.post("/auth/password/validate", { token, password: NEW_PASSWORD })).body.code).toBe("INVALID_TOKEN");
  expect((await api.post("/auth/password/validate", {})).body.code).toBe("INVALID_TOKEN");
});

test("a password that is none is refused, and the link still works", async () => {
  const { email } = await signUp();
  await api.post("/auth/password/reset", { email });
  const token = tokenIn(await linkTo(email));

  expect((await api.post("/auth/password/validate", { token })).body.code).toBe("PASSWORD_MISSING");
  expect((await api.post("/auth/password/validate", { token, password: "short" })).body.code).toBe("PASSWORD_TOO_SHORT");
  expect((await api.post("/auth/password/validate", { token, password: NEW_PASSWORD })).status).toBe(200);
});

test("what is no address is said to be none", async () => {
  for (const email of ["", "nobody", null, ["a@example.com"]])
    expect((await api.post("/auth/password/reset", { email })).body).toMatchObject({ code: "EMAIL_INVALID" });
});
