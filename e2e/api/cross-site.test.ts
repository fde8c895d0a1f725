import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { startSite, type TestSite } from "../site.ts";
import { type Browser, signIn } from "./browser.ts";
import { type Api, apiOf, newEmail, PASSWORD } from "./client.ts";
import { type Contract, loadContract } from "./contract.ts";

const TRUSTED = "https://app.example.com";
const EVIL = "https://evil.example";
const FOREIGN: [string, Record<string, string>][] = [
  ["another site says the browser", { "sec-fetch-site": "cross-site", origin: EVIL }],
  ["another site, without Origin", { "sec-fetch-site": "cross-site" }],
  ["a neighbouring host", { "sec-fetch-site": "same-site", origin: "http://other.localhost" }],
  ["another site, in an older browser", { origin: EVIL }],
  ["Origin: null", { origin: "null" }],
  ["Origin: null, says the browser", { origin: "null", "sec-fetch-site": "cross-site" }],
  ["an origin that begins like a trusted one", { origin: `${TRUSTED}.evil.example` }],
  ["another scheme", { origin: "https://127.0.0.1" }],
  ["another port", { origin: "http://127.0.0.1:1" }],
  ["a forged host", { origin: EVIL, "x-forwarded-host": "evil.example", "x-forwarded-proto": "https", "x-heard-origin": EVIL }],
];

let site: TestSite;
let api: Api;
let browser: Browser;
let ownerToken: string;
let contract: Contract;
let refusedCount = 0;

beforeAll(async () => {
  site = await startSite({ template: inject("databaseTemplate"), env: { ALLOWED_ORIGINS: TRUSTED } });
  api = apiOf(site.url);
  contract = await loadContract(site.url);
  browser = await signIn(site.url, site.owner.email, site.owner.password);
  ownerToken = site.owner.authToken;
});

afterAll(async () => {
  const expected = FOREIGN.length * unsafe().length;
  reportBar({
    bar: "Z8",
    measure: "cross-site JSON writes with a session cookie that were refused with 403",
    figure: `${refusedCount}/${expected}`,
    database: databaseOf(),
    ok: refusedCount === expected,
  });
  await api?.close();
  await site?.remove();
});

const databaseOf = () => (site.databaseUrl ? "postgresql" : "embedded");
// Signing out last: it would end the session that the others are tested with.
const unsafe = () =>
  contract.operations
    .filter(({ method }) => method !== "GET")
    .sort((one, other) => Number(one.path === "/auth/logout") - Number(other.path === "/auth/logout"));
const withCookie = (headers: Record<string, string>) => api.as({ headers: { cookie: browser.cookie(), ...headers } });

describe("Z8: with a session cookie", () => {
  test.each(FOREIGN)("a JSON write from %s is refused on every unsafe operation", async (_name, headers) => {
    for (const { method, path } of unsafe()) {
      const answer = await withCookie(headers).call(method, path, { json: {} });

      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 403, "FORBIDDEN"]);
      refusedCount += 1;
    }
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "; charset=utf-8"])(
    "the type %j from another site is 415 on every unsafe operation",
    async (type) => {
      for (const { method, path } of unsafe()) {
        const answer = await withCookie({ "sec-fetch-site": "cross-site", origin: EVIL, "content-type": type }).call(method, path, { raw: '{"name":"x"}' });

        expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 415, "UNSUPPORTED_MEDIA_TYPE"]);
      }
    },
  );

  test("reading from another site is not refused, and says nothing to it", async () => {
    const answer = await withCookie({ "sec-fetch-site": "cross-site", origin: EVIL }).get("/users/me");

    expect([answer.status, answer.headers["access-control-allow-origin"], answer.headers["cache-control"]]).toEqual([200, undefined, "no-store"]);
  });

  test.each([
    ["the site's own page", () => ({ "sec-fetch-site": "same-origin", origin: site.url })],
    ["the site's own page, in an older browser", () => ({ origin: site.url })],
    ["the address bar", () => ({ "sec-fetch-site": "none" })],
    ["a trusted origin", () => ({ "sec-fetch-site": "cross-site", origin: TRUSTED })],
  ])("a write from %s works", async (_name, headers) => {
    const answer = await withCookie(headers()).post("/boards", { name: `From ${_name}` });

    expect(answer.status).toBe(201);
  });

  test("the site's own page is refused on no unsafe operation", async () => {
    for (const { method, path } of unsafe().filter((operation) => operation.path !== "/auth/logout")) {
      const answer = await withCookie({ "sec-fetch-site": "same-origin", origin: site.url }).call(method, path, { json: {} });

      expect([method, path, answer.body.code === "FORBIDDEN"]).toEqual([method, path, false]);
    }
    // Among them was the one that ends every other session.
    ownerToken = (await api.post("/auth/login", site.owner)).body.user.authToken;
  });

  test("a token, not the cookie, decides where both are sent", async () => {
    const headers = { "sec-fetch-site": "cross-site", origin: EVIL };

    expect((await withCookie(headers).post("/boards", { name: "By token" }, { token: ownerToken })).status).toBe(201);
    expect((await withCookie({}).get("/users/me", { token: "dead" })).body.code).toBe("INVALID_TOKEN");
  });
});

describe("without a cookie", () => {
  test("the origin header refuses nothing", async () => {
    for (const origin of [EVIL, "null", "", "nonsense"]) {
      expect((await api.post("/auth/signup", { email: newEmail(), password: PASSWORD }, { headers: { origin, "sec-fetch-site": "cross-site" } })).status).toBe(
        201,
      );
      expect((await api.post("/boards", { name: "By token" }, { token: ownerToken, headers: { origin } })).status).toBe(201);
      const untyped = Buffer.from(JSON.stringify({ email: newEmail(), password: PASSWORD }));
      expect((await api.call("POST", "/auth/signup", { raw: untyped, headers: { origin } })).status).toBe(201);
    }
  });
});

describe("the browser's session", () => {
  test("is a cookie that scripts cannot read and other sites do not send, and carries nothing but a sealed token", async () => {
    const { cookie, sessionCookie } = await signIn(site.url, site.owner.email, site.owner.password);

    expect(cookie()).toContain("heard.session=");
    expect(sessionCookie()).not.toContain(ownerToken);
    expect((await api.get("/users/me", { headers: { cookie: cookie() } })).body.user.email).toBe(site.owner.email);
  });

  test("is named by next-auth's own address, without an email address or a token", async () => {
    const session = await (await browser.fetch("/api/auth/session")).json();

    expect(session).toEqual({ user: {}, expires: expect.any(String) });
    expect(Date.parse(session.expires)).toBeGreaterThan(Date.now());
  });

  test("is not made by a wrong password, or without the csrf token", async () => {
    const wrong = await signIn(site.url, site.owner.email, "wrong password");
    const forged = await fetch(`${site.url}/api/auth/callback/credentials`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ email: site.owner.email, password: site.owner.password }),
    });

    expect(wrong.sessionCookie()).toBeUndefined();
    expect(forged.headers.getSetCookie().join()).not.toContain("heard.session=");
  });

  test("A9: ended by token, it is a stranger's on the next request, in the API and in next-auth", async () => {
    const { cookie, fetch } = await signIn(site.url, site.owner.email, site.owner.password);
    await api.delete("/users/me/sessions", { token: ownerToken });

    expect((await api.get("/users/me", { headers: { cookie: cookie() } })).body.code).toBe("UNAUTHENTICATED");
    expect((await api.get("/boards", { headers: { cookie: cookie() } })).status).toBe(200);
    expect((await (await fetch("/api/auth/session")).json()).user).toBeUndefined();
    browser = await signIn(site.url, site.owner.email, site.owner.password);
  });

  test("A9: signed out through next-auth, its token is dead, and the cookie is taken back", async () => {
    const leaving = await signIn(site.url, site.owner.email, site.owner.password);
    const kept = leaving.cookie();

    await leaving.signOut();

    expect(leaving.sessionCookie()).toBeUndefined();
    expect((await api.get("/users/me", { headers: { cookie: kept } })).body.code).toBe("UNAUTHENTICATED");
  });

  test("A10: signing in begins a session of its own, whichever one was planted in the browser before", async () => {
    const { body } = await api.post("/auth/signup", { email: newEmail(), password: PASSWORD });
    const attacker = await signIn(site.url, body.user.email, PASSWORD);
    const planted = [attacker.sessionCookie() ?? "", "made-up", "x".repeat(1000)];

    const cookies: (string | undefined)[] = [];
    for (const cookie of planted) cookies.push((await signIn(site.url, site.owner.email, site.owner.password, { planted: cookie })).sessionCookie());

    const fresh = new Set(cookies.filter((cookie) => cookie && !planted.includes(cookie))).size;
    const ok = fresh === planted.length;
    reportBar({
      bar: "A10",
      measure: "sign-ins with a planted session that got one of their own",
      figure: `${fresh}/${planted.length}`,
      database: databaseOf(),
      ok,
    });
    expect(ok).toBe(true);
    expect((await api.get("/users/me", { headers: { cookie: attacker.cookie() } })).body.user.email).toBe(body.user.email);
  });

  test("Z11: next-auth leads nowhere but to the site itself", async () => {
    for (const callbackUrl of [EVIL, "//evil.example", "/\\evil.example", `${EVIL}/?${site.url}`, `http://127.0.0.1@evil.example`, "javascript:alert(1)"]) {
      const response = await browser.fetch(`/api/auth/signin?callbackUrl=${encodeURIComponent(callbackUrl)}`);

      expect(new URL(response.headers.get("location") ?? "", site.url).host).toBe(new URL(site.url).host);
    }
  });

  test("I1: nothing sent to next-auth's addresses makes a 5xx", async () => {
    for (const action of [
      "signin",
      "signout",
      "session",
      "csrf",
      "providers",
      "callback/credentials",
      "callback/x",
      "error",
      "_log",
      "a/b/c",
      "verify-request",
    ]) {
      for (const [method, raw, type, query = "", cookie = ""] of [
        ["GET"],
        ["GET", undefined, undefined, "?callbackUrl=x"],
        ["POST", undefined, undefined, "?callbackUrl=/&callbackUrl=/%E2%82%AC"],
        ["GET", undefined, undefined, "", "next-auth.callback-url=x"],
        ["POST", undefined, undefined, "", "__Secure-next-auth.callback-url=%2F%E2%82%AC"],
        ["HEAD"],
        ["PUT"],
        ["POST", "{", "application/json"],
        ["POST", "null", "application/json"],
        ["POST", '{"callbackUrl":5}', "application/json"],
        ["POST", '{"callbackUrl":"/€\\ud800"}', "application/json"],
        ["POST", "callbackUrl=%E2%82%AC%0d%0a", "application/x-www-form-urlencoded"],
        ["POST", "callbackUrl=x", "application/x-www-form-urlencoded"],
        ["POST", "a=%zz&&=", "application/x-www-form-urlencoded"],
        ["POST", "x"],
        ["POST"],
      ] as const) {
        const headers = { ...(type && { "content-type": type }), ...(cookie && { cookie }) };
        const answer = await api.call(method, `/api/auth/${action}${query}`, { raw, headers });

        expect([method, action, query, cookie, answer.status >= 500]).toEqual([method, action, query, cookie, false]);
      }
    }
  });

  test("I3: next-auth's addresses take 16 KiB, for a form of many fields would hold everybody up", async () => {
    const send = (raw: string) => api.call("POST", "/api/auth/signout", { raw, headers: { "content-type": "application/x-www-form-urlencoded" } });

    expect((await send("a&".repeat(8 * 1024))).status).toBeLessThan(400);
    const refusal = await send("a&".repeat(8 * 1024 + 1));
    expect([refusal.status, refusal.body.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  test.each(["x", "a.b.c.d.e", "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..x.y.z", "%00", "x".repeat(4000)])("forged as %s it is a stranger's", async (value) => {
    const answer = await api.get("/users/me", { headers: { cookie: `heard.session=${value}` } });

    expect([answer.status, answer.body.code]).toEqual([401, "UNAUTHENTICATED"]);
  });
});

describe("CORS", () => {
  test("H6: any origin may read public GETs, without credentials", async () => {
    for (const path of ["/boards", "/settings/site", "/auth/setup", "/openapi.json", "/nothing"]) {
      const { headers } = await api.get(path, { headers: { origin: EVIL } });

      expect([path, headers["access-control-allow-origin"], headers["access-control-allow-credentials"]]).toEqual([path, "*", undefined]);
    }
  });

  test("H6: what is made for somebody, and every write, is for no other origin", async () => {
    for (const [method, path, headers] of [
      ["GET", "/boards", { cookie: browser.cookie() }],
      ["GET", "/boards", { authorization: `Bearer ${ownerToken}` }],
      ["POST", "/auth/login", {}],
    ] as const) {
      expect((await api.call(method, path, { headers: { ...headers, origin: EVIL } })).headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  test("a trusted origin may do everything, with credentials", async () => {
    const { headers } = await api.get("/users/me", { token: ownerToken, headers: { origin: TRUSTED } });
    const preflight = await api.call("OPTIONS", "/boards", { headers: { origin: TRUSTED, "access-control-request-method": "POST" } });

    expect([headers["access-control-allow-origin"], headers["access-control-allow-credentials"], headers.vary]).toEqual([
      TRUSTED,
      "true",
      expect.stringContaining("Origin"),
    ]);
    expect([preflight.status, preflight.headers["access-control-allow-origin"], preflight.headers["access-control-allow-methods"]]).toEqual([
      204,
      TRUSTED,
      expect.stringContaining("POST"),
    ]);
  });

  test("a preflight for another origin's write allows it nothing", async () => {
    const { headers } = await api.call("OPTIONS", "/boards", { headers: { origin: EVIL, "access-control-request-method": "POST" } });

    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });
});
