import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { ELSEWHERE } from "../elsewhere.ts";
import { startSite, type TestSite } from "../site.ts";
import { type Browser, openBrowser, signIn } from "./browser.ts";
import { type Api, apiOf, newEmail, PASSWORD } from "./client.ts";

const EVIL = "https://evil.example";
const TIMES = scale(2, 100);

let site: TestSite;
let api: Api;
let browser: Browser;
let ownerToken: string;

beforeAll(async () => {
  site = await startSite({ template: inject("databaseTemplate") });
  api = apiOf(site.url);
  browser = await signIn(site.url, site.owner.email, site.owner.password);
  ownerToken = site.owner.authToken;
});

afterAll(async () => {
  await api?.close();
  await site?.remove();
});

/** A browser in which the session was planted while the form was open: to who is signed in the page shows none. */
async function signInByForm(planted: string): Promise<Browser> {
  const opened = openBrowser(site.url);
  await opened.submit("/login", { email: site.owner.email, password: site.owner.password }, planted);
  return opened;
}

/** Whose session a browser holds, and which one. */
async function sessionOf({ cookie }: Browser): Promise<{ email?: string; sessionId?: string }> {
  const headers = { cookie: cookie() };
  const [me, { body }] = await Promise.all([api.get("/users/me", { headers }), api.get("/users/me/sessions", { headers })]);
  const current = (body.sessions as { sessionId: string; isCurrent: boolean }[] | undefined)?.find(({ isCurrent }) => isCurrent);
  return { email: me.body.user?.email, sessionId: current?.sessionId };
}

/** A connection to the site's database, to hold locks on. */
async function holdOn(databaseUrl: string): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  return holder;
}

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

  test("A9: ended by token, it is a stranger's on the next request, in the API and in next-auth", { timeout: TIMES * 10_000 }, async () => {
    let refused = 0;
    for (let time = 0; time < TIMES; time++) {
      const { cookie, fetch } = await signIn(site.url, site.owner.email, site.owner.password);
      await api.delete("/users/me/sessions", { token: ownerToken });

      const { body } = await api.get("/users/me", { headers: { cookie: cookie() } });
      const { user } = await (await fetch("/api/auth/session")).json();
      if (body.code === "UNAUTHENTICATED" && user === undefined) refused++;
      expect((await api.get("/boards", { headers: { cookie: cookie() } })).status).toBe(200);
    }
    reportBar({
      bar: "A9",
      measure: "cookie of a session ended elsewhere: the next request refused",
      figure: `${refused}/${TIMES}`,
      ok: refused === TIMES,
    });
    expect(refused).toBe(TIMES);
    browser = await signIn(site.url, site.owner.email, site.owner.password);
  });

  test.each(["heard.session2", "heard.session.0", "heard.session@"])(
    "A9: signed out through next-auth, a neighbor's cookie called %s does not keep it alive",
    async (name) => {
      const leaving = await signIn(site.url, site.owner.email, site.owner.password);
      leaving.plant(name, "x");
      const kept = leaving.cookie();
      expect((await api.get("/users/me", { headers: { cookie: kept } })).status).toBe(200);

      await leaving.signOut();

      expect((await api.get("/users/me", { headers: { cookie: kept } })).status).toBe(401);
    },
  );

  test("A9: signed out through next-auth, its token is dead, and the cookie is taken back", { timeout: TIMES * 10_000 }, async () => {
    let refused = 0;
    for (let time = 0; time < TIMES; time++) {
      const leaving = await signIn(site.url, site.owner.email, site.owner.password);
      const kept = leaving.cookie();

      await leaving.signOut();

      expect(leaving.sessionCookie()).toBeUndefined();
      if ((await api.get("/users/me", { headers: { cookie: kept } })).body.code === "UNAUTHENTICATED") refused++;
    }
    reportBar({
      bar: "A9",
      measure: "cookie signed out through next-auth: the next request refused",
      figure: `${refused}/${TIMES}`,
      ok: refused === TIMES,
    });
    expect(refused).toBe(TIMES);
  });

  test.each([
    ["next-auth's addresses", (planted: string) => signIn(site.url, site.owner.email, site.owner.password, { planted })],
    ["the form", signInByForm],
  ])("A10: signing in by %s begins a session of its own, whichever one was planted in the browser before", async (way, signInWith) => {
    const { body } = await api.post("/auth/signup", { email: newEmail(), password: PASSWORD });
    const attacker = await signIn(site.url, body.user.email, PASSWORD);
    const planted = [attacker.sessionCookie() ?? "", "made-up", "x".repeat(1000)];
    const former = await sessionOf(attacker);

    // A cookie is sealed anew each time: what it stands for tells whether the session is the same.
    const begun: Awaited<ReturnType<typeof sessionOf>>[] = [];
    for (const cookie of planted) begun.push(await sessionOf(await signInWith(cookie)));

    const fresh = new Set(begun.filter(({ email }) => email === site.owner.email).map(({ sessionId }) => sessionId)).size;
    const ok = fresh === planted.length && begun.every(({ sessionId }) => sessionId && sessionId !== former.sessionId);
    reportBar({
      bar: "A10",
      measure: `sign-ins by ${way} with a planted session that got one of their own`,
      figure: `${fresh}/${planted.length}`,
      ok,
    });
    expect(ok, JSON.stringify({ former, begun })).toBe(true);
    expect(await sessionOf(attacker)).toEqual(former);
  });

  test("Z11: next-auth leads nowhere but to the site itself", async () => {
    const own = new URL(site.url).host;
    /** On which host a browser, or a program that asks for JSON, is then; what is refused leads nowhere. */
    const ledTo = async (callbackUrl: string, ask: () => Promise<Response>) => {
      const response = await ask();
      const { url } = response.ok ? ((await response.json()) as { url: string }) : { url: response.headers.get("location") };
      if (url === null) expect([callbackUrl, response.status]).toEqual([callbackUrl, 400]);
      return { callbackUrl, host: url === null ? own : new URL(url, site.url).host };
    };
    const { signIn, signOut } = openBrowser(site.url);
    const { email, password } = site.owner;

    const led: Awaited<ReturnType<typeof ledTo>>[] = [];
    for (const callbackUrl of [...ELSEWHERE, `${EVIL}/?${site.url}`, `${site.url}.evil.example`, `${site.url}@evil.example`]) {
      led.push(await ledTo(callbackUrl, () => browser.fetch(`/api/auth/signin?callbackUrl=${encodeURIComponent(callbackUrl)}`)));
      led.push(await ledTo(callbackUrl, () => signOut(callbackUrl)));
    }
    for (const callbackUrl of ELSEWHERE.slice(0, scale(5, ELSEWHERE.length))) led.push(await ledTo(callbackUrl, () => signIn(email, password, callbackUrl)));

    const away = led.filter(({ host }) => host !== own);
    const figure = `${led.length - away.length}/${led.length}`;
    reportBar({
      bar: "Z11",
      measure: "callbackUrl payloads that stay on the site, by signing in and out",
      figure,
      ok: away.length === 0,
    });
    expect(away).toEqual([]);
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
        ["GET", undefined, undefined, "", "heard.session@=x"],
        ["POST", undefined, undefined, "", "theme=dark; heard.session =x;heard.session(1"],
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

  // Which call fails a lock decides, taken once the request has asked who is there and waits for the site's address.
  test.runIf(process.env.TEST_DATABASE_URL).for([
    ["the session cannot be ended", "signOut", "SHARE"],
    ["the session cannot be looked up that is to end", "signOut", "ACCESS EXCLUSIVE"],
    ["the session cannot be made", "signIn", "SHARE"],
    ["the session cannot be looked up that is asked for", "session", "ACCESS EXCLUSIVE"],
  ] as const)("where %s, next-auth's address says so, and nothing is done", { timeout: 60_000 }, async ([, way, mode]) => {
    const opened = way === "signIn" ? openBrowser(site.url) : await signIn(site.url, site.owner.email, site.owner.password);
    const held = opened.sessionCookie();
    const [first, then] = await Promise.all([holdOn(site.databaseUrl), holdOn(site.databaseUrl)]);
    const sessions = async () => (await then.query('SELECT count(*) FROM "Session"')).rows[0].count;
    const before = await sessions();
    // Filled before, so that it is the form itself which waits.
    const ways = {
      signOut: () => opened.fillNextAuth("/api/auth/signout", {}),
      signIn: () => opened.fillNextAuth("/api/auth/callback/credentials", { email: site.owner.email, password: site.owner.password }),
      session: async () => () => opened.fetch("/api/auth/session"),
    };
    const ask = await ways[way]();

    await first.query('BEGIN; LOCK TABLE "SiteSettings" IN ACCESS EXCLUSIVE MODE');
    const asked = ask();
    const waiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = '"SiteSettings"'::regclass`;
    await vi.waitFor(async () => expect((await then.query(waiting)).rowCount).toBeGreaterThan(0), { timeout: 10_000, interval: 10 });
    await then.query(`BEGIN; LOCK TABLE "Session" IN ${mode} MODE`);
    await first.query("ROLLBACK");
    const answer = await asked;
    await then.query("ROLLBACK");

    expect([answer.status, await answer.json(), answer.headers.get("retry-after")]).toEqual([
      503,
      { code: "SERVER_ERROR", message: "Something went wrong!" },
      expect.stringMatching(/^\d+$/),
    ]);
    expect([opened.sessionCookie(), await sessions()]).toEqual([held, before]);
    if (held) expect((await api.get("/users/me", { headers: { cookie: opened.cookie() } })).status).toBe(200);
  });

  test.each(["x", "a.b.c.d.e", "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..x.y.z", "%00", "x".repeat(4000)])("forged as %s it is a stranger's", async (value) => {
    const answer = await api.get("/users/me", { headers: { cookie: `heard.session=${value}` } });

    expect([answer.status, answer.body.code]).toEqual([401, "UNAUTHENTICATED"]);
  });
});
