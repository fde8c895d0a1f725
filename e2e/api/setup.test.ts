import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { startServer, type TestServer } from "../server.ts";
import { type Api, apiOf, newEmail, PASSWORD } from "./client.ts";

const template = inject("databaseTemplate");
const OWNER = { email: "Quillon@Example.com ", password: PASSWORD, siteTitle: "🍋 Zitrone\u202e — ليمون", name: "Олив 👩‍👩‍👧" };

/** What stands in the wizard's page, and in what a browser that is on another page is sent of it. */
const WIZARD = /siteTitle/;

let server: TestServer;
let api: Api;
let ownerToken: string;

beforeAll(async () => {
  server = await startServer({ template });
  api = apiOf(server.url);
});

afterAll(async () => {
  await api?.close();
  await server?.remove();
});

describe("before set-up", () => {
  test("GET /auth/setup says so, whatever the token", async () => {
    expect((await api.get("/auth/setup")).body).toEqual({ is_setup: false });
    expect((await api.get("/auth/setup", { token: "none" })).body).toEqual({ is_setup: false });
  });

  test("public reads answer defaults", async () => {
    const settings = await api.get("/settings/site");
    const boards = await api.get("/boards");

    expect(settings.body).toEqual({ settings: { title: "Feedback", description: "", allowSignup: true, accentColor: "0f6b7c", logo: null } });
    expect([boards.body, boards.headers["x-total-count"]]).toEqual([{ boards: [] }, "0"]);
  });

  test("/setup shows the wizard, also to a browser that looks ahead", async () => {
    for (const headers of [{}, { rsc: "1" }])
      expect(await (await fetch(`${server.url}/setup`, { headers: headers as Record<string, string> })).text()).toMatch(WIZARD);
  });

  test("a person signs up, and is no owner", async () => {
    const signup = await api.post("/auth/signup", { email: newEmail(), password: PASSWORD });
    const attempt = await api.post("/boards", { name: "Mine" }, { token: signup.body.user.authToken });

    expect([signup.status, attempt.status, attempt.body.code]).toEqual([201, 403, "FORBIDDEN"]);
    expect((await api.get("/auth/setup")).body).toEqual({ is_setup: false });
  });

  test.each([
    [{}, "EMAIL_INVALID"],
    [{ password: PASSWORD }, "EMAIL_INVALID"],
    [{ email: "no address", password: PASSWORD }, "EMAIL_INVALID"],
    [{ email: newEmail() }, "PASSWORD_MISSING"],
    [{ email: newEmail(), password: "" }, "PASSWORD_MISSING"],
    [{ email: newEmail(), password: "1234567" }, "PASSWORD_TOO_SHORT"],
    [{ email: newEmail(), password: "x".repeat(257) }, "PASSWORD_TOO_LONG"],
    [{ email: newEmail(), password: PASSWORD, siteTitle: "x".repeat(101) }, "VALIDATION_ERROR"],
    [{ email: newEmail(), password: PASSWORD, name: "x".repeat(61) }, "VALIDATION_ERROR"],
    [{ email: newEmail(), password: PASSWORD, name: 5 }, "VALIDATION_ERROR"],
  ])("%j is refused as %s", async (json, code) => {
    const answer = await api.post("/auth/setup", json);

    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  test("an address that has an account cannot become the owner's", async () => {
    const email = newEmail();
    await api.post("/auth/signup", { email, password: PASSWORD });

    const answer = await api.post("/auth/setup", { email: email.toUpperCase(), password: PASSWORD });

    expect([answer.status, answer.body.code]).toEqual([409, "USER_EXISTS"]);
    expect((await api.get("/auth/setup")).body).toEqual({ is_setup: false });
  });
});

describe("set-up", () => {
  test("answers 201 with the owner, exactly as documented", async () => {
    const answer = await api.post("/auth/setup", OWNER, { headers: { origin: server.url } });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      user: {
        authToken: expect.stringMatching(/^[\w-]{22,}$/),
        userId: expect.any(String),
        name: OWNER.name.normalize("NFC"),
        username: expect.any(String),
        email: "quillon@example.com",
        avatar: expect.stringMatching(/^http/),
      },
    });
    expect(answer.body.user.username).not.toContain("quillon");
    expect(answer.headers["set-cookie"]).toBeUndefined();
    ownerToken = answer.body.user.authToken;
  });

  test("keeps the title in every script, and is said to be done", async () => {
    expect((await api.get("/settings/site")).body.settings.title).toBe(OWNER.siteTitle);
    expect((await api.get("/auth/setup")).body).toEqual({ is_setup: true });
  });

  test("makes an owner", async () => {
    expect((await api.post("/boards", { name: "First" }, { token: ownerToken })).status).toBe(201);
  });
});

describe("A18: after set-up", () => {
  const body = { email: newEmail(), password: PASSWORD, siteTitle: "Taken over" };
  const variants = [
    "/auth/setup",
    "/auth/setup?x",
    "/auth/setup?x=1",
    "/auth/setup/",
    "/auth//setup",
    "//auth/setup",
    "/auth/setup/?a=b",
    "/auth/./setup",
    "/auth/x/../setup",
  ];
  const spoofs = [
    {},
    { rsc: "1" },
    { "next-router-prefetch": "1" },
    { purpose: "prefetch" },
    { "next-router-segment-prefetch": "/_tree" },
    { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
    { "x-http-method-override": "GET" },
    { "x-heard-method": "GET" },
  ];

  test.each(variants)("POST %s answers 403 SETUP_COMPLETED, and nothing changes", async (path) => {
    for (const headers of spoofs) {
      const answer = await api.call("POST", `/api/v1${path}`, { json: body, headers: headers as Record<string, string> });

      expect([path, headers, answer.status, answer.body.code]).toEqual([path, headers, 403, "SETUP_COMPLETED"]);
    }
    const { title } = (await api.get("/settings/site")).body.settings;
    reportBar({ bar: "A18", measure: `POST ${path} after set-up, ${spoofs.length} ways`, figure: "403", ok: title === OWNER.siteTitle });
    expect(title).toBe(OWNER.siteTitle);
  });

  test("/setup shows nobody the wizard, however it is asked for", async () => {
    const addresses = [
      "/setup",
      "/setup?x",
      "/setup/",
      "/SETUP",
      "//setup",
      "/setup.rsc",
      "/setup.segments/_tree.segment.rsc",
      "/setup?_rsc=x",
      "/_next/data/x/setup.json",
    ];
    const shown: unknown[] = [];
    for (const address of addresses)
      for (const headers of [{}, ...spoofs, { rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/setup/__PAGE__" }]) {
        const response = await fetch(`${server.url}${address}`, { headers: headers as Record<string, string> });
        const body = await response.text();
        if (response.status >= 500 || WIZARD.test(body)) shown.push([address, headers, response.status]);
      }

    expect(shown).toEqual([]);
  });

  test.each(["/auth/SETUP", "/Auth/setup", "/AUTH/SETUP", "/auth/setup.json", "/auth/setup%20", "/auth/setup%00", "/auth/%73etup"])(
    "POST %s sets nothing up",
    async (path) => {
      const answer = await api.call("POST", `/api/v1${path}`, { json: body });

      expect([403, 404]).toContain(answer.status);
      expect((await api.get("/settings/site")).body.settings.title).toBe(OWNER.siteTitle);
    },
  );

  test.each(["GET", "HEAD"])("%s /auth/setup still answers 200", async (method) => {
    expect((await api.call(method, "/auth/setup?x")).status).toBe(200);
  });

  test("mail, email and password are looked at before set-up is", async () => {
    expect((await api.post("/auth/setup", {})).body.code).toBe("EMAIL_INVALID");
    expect((await api.post("/auth/setup", { email: newEmail() })).body.code).toBe("PASSWORD_MISSING");
    expect((await api.post("/auth/setup", { ...body, password: "short" })).body.code).toBe("PASSWORD_TOO_SHORT");
    expect((await api.post("/auth/setup", { ...body, siteTitle: "x".repeat(101) })).body.code).toBe("SETUP_COMPLETED");
  });

  test("nobody can sign in with what these attempts sent", async () => {
    expect((await api.post("/auth/login", body)).body.code).toBe("INVALID_CREDENTIALS");
  });
});

test("without a mail configuration set-up and sign-up answer 501, before anything else is looked at", async () => {
  const mute = await startServer({ template, env: { MAIL: "none" } });
  onTestFinished(mute.remove);
  const muteApi = apiOf(mute.url);

  for (const path of ["/auth/setup", "/auth/signup"]) {
    for (const json of [{}, { email: newEmail(), password: PASSWORD }]) {
      const answer = await muteApi.post(path, json);

      expect([answer.status, answer.body]).toEqual([501, { code: "MAIL_CONFIG_MISSING", message: "Mail configuration missing" }]);
    }
  }

  await muteApi.close();
});

test("where SETUP_TOKEN is set, set-up asks for it", async () => {
  const guarded = await startServer({ template, env: { SETUP_TOKEN: "open sesame" } });
  onTestFinished(guarded.remove);
  const guardedApi = apiOf(guarded.url);
  const json = { email: newEmail(), password: PASSWORD };

  const [without, wrong] = [await guardedApi.post("/auth/setup", json), await guardedApi.post("/auth/setup", { ...json, setupToken: "open barley" })];
  const right = await guardedApi.post("/auth/setup", { ...json, setupToken: "open sesame" });

  expect([without.body.code, wrong.body.code, right.status]).toEqual(["FORBIDDEN", "FORBIDDEN", 201]);
  await guardedApi.close();
});
