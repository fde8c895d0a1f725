import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { SESSION_COOKIE } from "#lib/visit";
import { type Browser, signIn } from "../api/browser.ts";
import { type Api, apiOf, newEmail, PASSWORD } from "../api/client.ts";
import { type Contract, loadContract } from "../api/contract.ts";
import { startSite, type TestSite } from "../site.ts";

const TRUSTED = "https://app.example.com";
const EVIL = "https://evil.example";
const FOREIGN: [string, Record<string, string>][] = [
  ["another site says the browser", { "sec-fetch-site": "cross-site", origin: EVIL }],
  ["another site, without Origin", { "sec-fetch-site": "cross-site" }],
  ["a neighboring host", { "sec-fetch-site": "same-site", origin: "http://other.localhost" }],
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
    ok: refusedCount === expected,
  });
  await api?.close();
  await site?.remove();
});

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

  test.each(FOREIGN)("signing in and out through next-auth from %s is refused, and the session goes on", async (_name, headers) => {
    for (const path of ["/signout", "/callback/credentials"]) {
      const response = await fetch(`${site.url}/api/auth${path}`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie: browser.cookie(), "content-type": "application/x-www-form-urlencoded", ...headers },
        body: "csrfToken=x",
      });

      expect([path, response.status]).toEqual([path, 403]);
    }
    expect((await withCookie({}).get("/users/me")).status).toBe(200);
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
  // Cookies heed no port: a page on another one of this host may have planted next-auth's own token.
  test("signing in through next-auth with a token of its own is refused from elsewhere, and works from the site's own page", async () => {
    const asked = await fetch(`${site.url}/api/auth/csrf`);
    const { csrfToken } = (await asked.json()) as { csrfToken: string };
    const cookie = asked.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
    const signInFrom = async (headers: Record<string, string>) => {
      const response = await fetch(`${site.url}/api/auth/callback/credentials`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie: cookie.join("; "), ...headers },
        body: new URLSearchParams({ csrfToken, email: site.owner.email, password: site.owner.password }),
      });
      return [response.status, response.headers.getSetCookie().some((line) => line.startsWith(`${SESSION_COOKIE.plain}=`))];
    };

    for (const [from, headers] of FOREIGN) expect([from, ...(await signInFrom(headers))]).toEqual([from, 403, false]);
    expect(await signInFrom({ "sec-fetch-site": "same-origin", origin: site.url })).toEqual([302, true]);
    expect(await signInFrom({}), "a program").toEqual([302, true]);
  });

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
