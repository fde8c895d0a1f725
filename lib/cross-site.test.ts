import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { aMember, type Person } from "#server/testing/people";
import { sealSessionToken } from "./auth.ts";
import { env } from "./env.ts";
import { endpoint } from "./http.ts";

vi.hoisted(() => {
  process.env.ALLOWED_ORIGINS = "https://www.example.com";
});

useDatabase();

const SITE = "https://feedback.example.com";
const TRUSTED = "https://www.example.com";
const STRANGER = "https://evil.example.net";
const COOKIE = "__Host-heard.session";

const handlers = { GET: answerWho, POST: answerWho, DELETE: answerWho };
const guarded = endpoint(handlers);
const signingIn = endpoint(handlers, { ignoresToken: true });

let member: Person;
let cookie: string;

beforeEach(async () => {
  member = await aMember();
  cookie = `${COOKIE}=${await sealSessionToken(member.token)}`;
});

function answerWho(_request: Request, { viewer }: { viewer: { userId: string } | null }): Response {
  return Response.json({ userId: viewer?.userId ?? null });
}

/** Calls `door` as a request to the site with these headers. */
function call(method: "GET" | "POST" | "DELETE" | "OPTIONS", headers: Record<string, string>, door = guarded): Promise<Response> {
  return door[method](new Request(`${SITE}/api/v1/things`, { method, headers: { "x-heard-origin": SITE, ...headers } }), { params: Promise.resolve({}) });
}

async function userOf(response: Response): Promise<unknown> {
  return ((await response.json()) as { userId: unknown }).userId;
}

async function codeOf(response: Response): Promise<string> {
  return `${response.status} ${((await response.json()) as { code: string }).code}`;
}

test("a token, a cookie or nothing tells who is asking", async () => {
  expect(await userOf(await call("GET", { authorization: `bearer ${member.token}` }))).toBe(member.userId);
  expect(await userOf(await call("GET", { cookie: `a=1; ${cookie}; b=2` }))).toBe(member.userId);
  expect(await userOf(await call("GET", {}))).toBeNull();
});

test("a wrong token is refused on public reads too", async () => {
  for (const authorization of ["Bearer wrong", "Basic eA==", "", "Bearer"]) {
    const response = await call("GET", { authorization });
    expect(response.headers.get("www-authenticate")).toContain("Bearer");
    expect(await codeOf(response)).toBe("401 INVALID_TOKEN");
  }
});

test("a wrong token beside a good cookie is refused, not looked past", async () => {
  expect(await codeOf(await call("GET", { authorization: "Bearer wrong", cookie }))).toBe("401 INVALID_TOKEN");
});

test("where people sign in no token is looked at", async () => {
  expect((await call("POST", { authorization: "Bearer wrong" }, signingIn)).status).toBe(200);
  expect(await userOf(await call("POST", { authorization: `Bearer ${member.token}` }, signingIn))).toBeNull();
});

test("an expired session's cookie is an anonymous caller", async () => {
  await db.session.deleteMany();

  const response = await call("GET", { cookie });

  expect([response.status, await userOf(response)]).toEqual([200, null]);
});

test("the cookie of the other scheme is not looked at", async () => {
  expect(await userOf(await call("GET", { cookie: cookie.replace(COOKIE, "heard.session") }))).toBeNull();
  expect(await userOf(await call("GET", { cookie: cookie.replace(COOKIE, "heard.session"), "x-heard-origin": "http://localhost:3000" }))).toBe(member.userId);
});

test.for([
  ["the site itself, as the browser says", { "sec-fetch-site": "same-origin", origin: SITE }, 200],
  ["a person's own doing, as the browser says", { "sec-fetch-site": "none" }, 200],
  ["another site, as the browser says", { "sec-fetch-site": "cross-site", origin: STRANGER }, 403],
  ["another host of the same domain, as the browser says", { "sec-fetch-site": "same-site", origin: "https://blog.example.com" }, 403],
  ["another site that names our origin", { "sec-fetch-site": "cross-site", origin: SITE }, 403],
  ["something new that a browser may say one day", { "sec-fetch-site": "odd" }, 403],
  ["the site itself, by an old browser's Origin", { origin: SITE }, 200],
  ["another site, by an old browser's Origin", { origin: STRANGER }, 403],
  ["a site whose name begins as an allowed one's", { "sec-fetch-site": "cross-site", origin: `${TRUSTED}.evil.example.net` }, 403],
  ["the site over another scheme", { origin: "http://feedback.example.com" }, 403],
  ["the site under another port", { origin: `${SITE}:8443` }, 403],
  ["a sandboxed page", { origin: "null" }, 403],
  ["a program that says nothing", {}, 200],
  ["an allowed site", { "sec-fetch-site": "cross-site", origin: TRUSTED }, 200],
] as const)("a write with a session cookie from %s", async ([, headers, status]) => {
  for (const method of ["POST", "DELETE"] as const) {
    const response = await call(method, { cookie, ...headers });
    expect(response.status).toBe(status);
    if (status === 403) expect(await codeOf(response)).toBe("403 FORBIDDEN");
  }
});

test("behind a proxy that Heard was not told of, a write from the address that the site says it has is its own", async () => {
  // Without TRUSTED_PROXIES a request has come over plain http, whatever the proxy says.
  const behind = { cookie: cookie.replace(COOKIE, "heard.session"), "x-heard-origin": "http://feedback.example.com", origin: SITE };
  expect((await call("POST", behind)).status).toBe(403);

  env().SITE_URL = SITE;
  onTestFinished(() => void (env().SITE_URL = undefined));
  const named = { ...behind, cookie };
  expect((await call("POST", named)).status).toBe(200);
  expect((await call("POST", { ...named, origin: STRANGER })).status).toBe(403);
});

test("reads, and writes without a session cookie, are taken from everywhere", async () => {
  const elsewhere = { "sec-fetch-site": "cross-site", origin: STRANGER };

  expect(await userOf(await call("GET", { cookie, ...elsewhere }))).toBe(member.userId);
  // What says that it is JSON has been asked for first, and allowed; what says nothing has not.
  const typed = { ...elsewhere, "content-type": "application/json" };
  expect((await call("POST", typed)).status).toBe(200);
  expect((await call("POST", { cookie: "theme=dark", ...typed })).status).toBe(200);
  expect(await userOf(await call("POST", { authorization: `Bearer ${member.token}`, ...typed }))).toBe(member.userId);
  expect((await call("POST", elsewhere)).status).toBe(415);
  for (const untyped of ["", ";", ";text/plain"]) expect((await call("POST", { ...elsewhere, "content-type": untyped })).status).toBe(415);
  // To a site on plain http browsers name the page's origin, and say nothing else of where it is.
  const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" };
  expect((await call("POST", { origin: STRANGER, ...browser })).status).toBe(415);
  expect((await call("POST", { origin: SITE, ...browser })).status).toBe(200);
  expect((await call("POST", { origin: TRUSTED, ...browser })).status).toBe(200);
  // Programs name the site that calls, and may leave the type out.
  expect((await call("POST", { origin: STRANGER })).status).toBe(200);
  expect((await call("DELETE", { origin: STRANGER, authorization: `Bearer ${member.token}` })).status).toBe(200);
  expect((await call("POST", { origin: SITE })).status).toBe(200);
  expect((await call("POST", { origin: TRUSTED })).status).toBe(200);
});

test("signing in with a session cookie at hand is not taken from other sites either", async () => {
  expect(await codeOf(await call("POST", { cookie, origin: STRANGER }, signingIn))).toBe("403 FORBIDDEN");
});

test("any origin may read what is public, without credentials", async () => {
  const { headers } = await call("GET", { origin: STRANGER });

  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.has("access-control-allow-credentials")).toBe(false);
  expect((await call("GET", { origin: `${TRUSTED}.evil.example.net` })).headers.has("access-control-allow-credentials")).toBe(false);
  expect(headers.get("access-control-expose-headers")).toMatch(/ETag.*Link.*X-Total-Count/);
});

test("no other origin may read what was answered to somebody in particular, or the answer to a write", async () => {
  const signedIn: Record<string, string>[] = [{ cookie }, { authorization: `Bearer ${member.token}` }];
  for (const headers of signedIn) {
    expect((await call("GET", { origin: STRANGER, ...headers })).headers.has("access-control-allow-origin")).toBe(false);
  }
  expect((await call("POST", { origin: STRANGER })).headers.has("access-control-allow-origin")).toBe(false);
});

test("an allowed origin may read everything, with credentials", async () => {
  for (const method of ["GET", "POST"] as const) {
    const { headers } = await call(method, { origin: TRUSTED, cookie });
    expect(headers.get("access-control-allow-origin")).toBe(TRUSTED);
    expect(headers.get("access-control-allow-credentials")).toBe("true");
  }
});

test("before a write a browser hears whether its page may", async () => {
  const ask = (origin: string, method: string) => call("OPTIONS", { origin, "access-control-request-method": method });

  const trusted = (await ask(TRUSTED, "POST")).headers;
  expect(trusted.get("access-control-allow-methods")).toContain("POST");
  expect(trusted.get("access-control-allow-headers")).toContain("Authorization");
  // Ten minutes for which it need not ask again.
  expect(trusted.get("access-control-max-age")).toBe("600");

  expect((await ask(STRANGER, "POST")).headers.has("access-control-allow-origin")).toBe(false);
  const reading = (await ask(STRANGER, "GET")).headers;
  expect(reading.get("access-control-allow-origin")).toBe("*");
  expect(reading.get("access-control-allow-methods")).toBe("GET, HEAD");
  expect(reading.get("access-control-allow-headers")).not.toContain("Authorization");
});

test("caches are told what an answer depends on", async () => {
  for (const response of [await call("GET", {}), await call("GET", { authorization: "Bearer wrong" })]) {
    expect(response.headers.get("vary")).toBe("Origin, Cookie, Authorization");
  }
});
