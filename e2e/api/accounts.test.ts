import { describe, expect, inject, onTestFinished, test } from "vitest";
import { startSite } from "../site.ts";
import { apiOf, type Body, newEmail, PASSWORD } from "./client.ts";

const { url, ownerToken } = inject("site");
const api = apiOf(url);
const owner = api.as({ token: ownerToken });

/** Callers of a site of their own, whose settings are nobody else's. */
async function ownSite() {
  const site = await startSite({ template: inject("databaseTemplate") });
  onTestFinished(site.remove);
  const anyone = apiOf(site.url);
  return { anyone, itsOwner: anyone.as({ token: site.owner.authToken }) };
}

async function signUp(more: object = {}): Promise<Body["user"]> {
  return (await api.post("/auth/signup", { email: newEmail(), password: PASSWORD, ...more })).body.user;
}

describe("POST /auth/signup", () => {
  test("answers 201 with the user, exactly as documented, and sets no cookie", async () => {
    const email = newEmail();

    const answer = await api.post("/auth/signup", {
      email: ` ${email.toUpperCase()}\t`,
      password: PASSWORD,
      siteTitle: "ignored",
      role: "OWNER",
      userId: "mine",
      isVerified: true,
    });

    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body.user).sort()).toEqual(["authToken", "avatar", "email", "name", "userId", "username"]);
    expect(answer.body.user.email).toBe(email);
    expect(answer.body.user.name).not.toBe("");
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  test("makes a member, whatever the body says", async () => {
    const { authToken } = await signUp({ role: "OWNER", isOwner: true });

    expect((await api.post("/boards", { name: "Mine" }, { token: authToken })).body.code).toBe("FORBIDDEN");
    expect((await api.get("/users/me", { token: authToken })).body.user.isVerified).toBe(false);
  });

  test("answers 409 USER_EXISTS for a taken address in any case", async () => {
    const { email } = await signUp();

    for (const variant of [email, email.toUpperCase(), `  ${email}\n`]) {
      const answer = await api.post("/auth/signup", { email: variant, password: PASSWORD });

      expect([answer.status, answer.body.code]).toEqual([409, "USER_EXISTS"]);
    }
  });

  test.each([
    [undefined, PASSWORD, "EMAIL_INVALID"],
    ["", "", "EMAIL_INVALID"],
    ["a@b", PASSWORD, "EMAIL_INVALID"],
    ["ann＠example.com", PASSWORD, "EMAIL_INVALID"],
    ["ann@example.com\r\nBcc: eve@example.com", PASSWORD, "EMAIL_INVALID"],
    [["ann@example.com"], PASSWORD, "EMAIL_INVALID"],
    ["ann@example.com,eve@example.com", PASSWORD, "EMAIL_INVALID"],
    ["ånn@example.com", PASSWORD, "EMAIL_INVALID"],
    [newEmail(), undefined, "PASSWORD_MISSING"],
    [newEmail(), null, "PASSWORD_MISSING"],
    [newEmail(), "1234567", "PASSWORD_TOO_SHORT"],
    [newEmail(), "🙂🙂🙂🙂🙂🙂🙂", "PASSWORD_TOO_SHORT"],
    [newEmail(), "🙂".repeat(257), "PASSWORD_TOO_LONG"],
  ])("refuses email %j with password %j as %s", async (email, password, code) => {
    const answer = await api.post("/auth/signup", { email, password });

    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  test("takes 8 and 256 characters as a password, whatever they are", async () => {
    for (const password of ["🙂".repeat(8), "🙂".repeat(256), "  spaces  "]) {
      const email = newEmail();

      expect((await api.post("/auth/signup", { email, password })).status).toBe(201);
      expect((await api.post("/auth/login", { email, password })).status).toBe(200);
    }
  });

  test("stores an international domain as punycode", async () => {
    const local = crypto.randomUUID();

    const answer = await api.post("/auth/signup", { email: `${local}@BÜCHER.example`, password: PASSWORD });

    expect(answer.body.user.email).toBe(`${local}@xn--bcher-kva.example`);
    expect((await api.post("/auth/login", { email: `${local}@bücher.example`, password: PASSWORD })).status).toBe(200);
  });

  test("answers 403 SIGNUP_NOT_ALLOWED where the owner has closed it, after email and password were looked at", async () => {
    const { anyone, itsOwner } = await ownSite();
    await itsOwner.patch("/settings/site", { allowSignup: false });

    const closed = await anyone.post("/auth/signup", { email: newEmail(), password: PASSWORD });
    const invalid = await anyone.post("/auth/signup", { email: newEmail(), password: "short" });

    expect([closed.status, closed.body.code, invalid.body.code]).toEqual([403, "SIGNUP_NOT_ALLOWED", "PASSWORD_TOO_SHORT"]);
  });

  test("refuses common passwords only where the owner has switched that on", async () => {
    const { anyone, itsOwner } = await ownSite();
    const common = { email: newEmail(), password: "password123" };
    await itsOwner.patch("/settings/site", { blockCommonPasswords: true });

    const refused = await anyone.post("/auth/signup", common);
    await itsOwner.patch("/settings/site", { blockCommonPasswords: false });

    expect([refused.status, refused.body.code]).toEqual([400, "PASSWORD_TOO_COMMON"]);
    expect((await anyone.post("/auth/signup", common)).status).toBe(201);
  });
});

describe("POST /auth/login", () => {
  test("answers 200 with the user and another token", async () => {
    const user = await signUp();

    const answer = await api.post("/auth/login", { email: user.email.toUpperCase(), password: PASSWORD });

    expect([answer.status, answer.body.user]).toEqual([200, { ...user, authToken: expect.any(String) }]);
    expect(answer.body.user.authToken).not.toBe(user.authToken);
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  test("answers an unknown address and a wrong password alike", async () => {
    const { email } = await signUp();

    const wrong = await api.post("/auth/login", { email, password: `${PASSWORD}!` });
    const unknown = await api.post("/auth/login", { email: newEmail(), password: PASSWORD });

    expect([wrong.status, wrong.body.code]).toEqual([401, "INVALID_CREDENTIALS"]);
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
    expect(Object.keys(unknown.headers).sort()).toEqual(Object.keys(wrong.headers).sort());
  });

  test("A2: passwords that differ only behind their 72nd byte never open each other's account", async () => {
    for (const letter of ["a", "ж", "🙂"]) {
      const [email, password] = [newEmail(), letter.repeat(80)];
      await api.post("/auth/signup", { email, password: `${password}1` });

      expect((await api.post("/auth/login", { email, password: `${password}2` })).status).toBe(401);
      expect((await api.post("/auth/login", { email, password: `${password}1` })).status).toBe(200);
    }
  });

  test("works with a dead token at hand, as set-up and sign-up do", async () => {
    const { email } = await signUp();
    const dead = api.as({ token: "dead" });

    expect((await dead.post("/auth/login", { email, password: PASSWORD })).status).toBe(200);
    expect((await dead.post("/auth/signup", { email: newEmail(), password: PASSWORD })).status).toBe(201);
    expect((await dead.get("/auth/setup")).status).toBe(200);
  });
});

describe("an authToken", () => {
  test.each(["Bearer", "bearer", "BEARER", "bEaReR"])("is taken with the scheme %s", async (scheme) => {
    expect((await api.get("/users/me", { headers: { authorization: `${scheme} ${ownerToken}` } })).status).toBe(200);
  });

  test.each(["", "Bearer", "Bearer ", "Basic abc", "Bearer a b", "nonsense", "Bearer null", `Bearer ${"x".repeat(5000)}`, "Bearer eyJhbGciOiJub25lIn0.e30."])(
    "is not %j: 401 INVALID_TOKEN, on public reads too",
    async (authorization) => {
      for (const path of ["/users/me", "/boards", "/settings/site"]) {
        const answer = await api.get(path, { headers: { authorization } });

        expect([path, answer.status, answer.body.code]).toEqual([path, 401, "INVALID_TOKEN"]);
        expect(answer.headers["www-authenticate"]).toMatch(/^Bearer .*error="invalid_token"/);
      }
    },
  );

  test("is missed with 401 UNAUTHENTICATED where it is needed", async () => {
    for (const [method, path] of [
      ["GET", "/users/me"],
      ["GET", "/users/me/sessions"],
      ["DELETE", "/users/me/sessions"],
      ["POST", "/auth/logout"],
      ["POST", "/auth/email/verify"],
      ["POST", "/boards"],
      ["PATCH", "/settings/site"],
    ] as const) {
      const answer = await api.call(method, path);

      expect([method, path, answer.status, answer.body.code, answer.headers["www-authenticate"]]).toEqual([
        method,
        path,
        401,
        "UNAUTHENTICATED",
        expect.stringMatching(/^Bearer /),
      ]);
    }
  });

  test("A9: is dead on the next request once it is logged out", async () => {
    const { authToken } = await signUp();

    const answer = await api.post("/auth/logout", undefined, { token: authToken });

    expect([answer.status, answer.text]).toEqual([204, ""]);
    for (const path of ["/users/me", "/boards"]) expect((await api.get(path, { token: authToken })).body.code).toBe("INVALID_TOKEN");
  });
});

describe("/users/me", () => {
  test("shows the account without its token", async () => {
    const { authToken, ...user } = await signUp();

    expect((await api.get("/users/me", { token: authToken })).body).toEqual({ user: { ...user, isVerified: false } });
  });

  test("changes the name, in any script, and nothing that is not offered", async () => {
    const { authToken, ...user } = await signUp();

    const answer = await api.patch(
      "/users/me",
      { name: "  Zoë 🦊 ", email: "other@example.com", role: "OWNER", isVerified: true, username: "boss", userId: "x" },
      { token: authToken },
    );

    expect([answer.status, answer.body.user]).toEqual([200, { ...user, name: "Zoë 🦊", isVerified: false }]);
    expect((await api.post("/boards", { name: "x" }, { token: authToken })).status).toBe(403);
  });

  test("A9: a new password ends every other session, and only with the current one", async () => {
    const { email, authToken } = await signUp();
    const other = (await api.post("/auth/login", { email, password: PASSWORD })).body.user.authToken;
    const change = (current: string, next: unknown) => api.patch("/users/me", { password: { current, new: next } }, { token: authToken });

    const wrong = await change("not the current one", "another long password");
    const short = await change(PASSWORD, "short");
    const right = await change(PASSWORD, "another long password");

    expect([wrong.status, wrong.body.code, short.body.code, right.status]).toEqual([403, "INVALID_CREDENTIALS", "PASSWORD_TOO_SHORT", 200]);
    expect([(await api.get("/users/me", { token: other })).status, (await api.get("/users/me", { token: authToken })).status]).toEqual([401, 200]);
    expect((await api.post("/auth/login", { email, password: PASSWORD })).status).toBe(401);
    expect((await api.post("/auth/login", { email, password: "another long password" })).status).toBe(200);
  });
});

describe("/users/me/sessions", () => {
  test("lists the living ones and marks the current", async () => {
    const { email, authToken } = await signUp();
    await api.post("/auth/login", { email, password: PASSWORD }, { headers: { "user-agent": "Ünïcode Browser/1.0\t<script>" } });

    const { sessions } = (await api.get("/users/me/sessions", { token: authToken })).body;

    expect(sessions.map(({ isCurrent }) => isCurrent).sort()).toEqual([false, true]);
    expect(sessions.find(({ isCurrent }) => !isCurrent)?.device).toContain("Browser/1.0");
  });

  test("A9: one is ended by its owner, and by nobody else", async () => {
    const [ann, eve] = [await signUp(), await signUp()];
    const other = (await api.post("/auth/login", { email: ann.email, password: PASSWORD })).body.user.authToken;
    const otherId = (await api.get("/users/me/sessions", { token: other })).body.sessions.find(({ isCurrent }) => isCurrent)?.sessionId;

    const foreign = await api.delete(`/users/me/sessions/${otherId}`, { token: eve.authToken });
    const own = await api.delete(`/users/me/sessions/${otherId}`, { token: ann.authToken });
    const again = await api.delete(`/users/me/sessions/${otherId}`, { token: ann.authToken });

    expect([foreign.status, foreign.body.code, own.status, again.status]).toEqual([404, "SESSION_NOT_FOUND", 204, 404]);
    expect([(await api.get("/users/me", { token: other })).status, (await api.get("/users/me", { token: ann.authToken })).status]).toEqual([401, 200]);
  });

  test("A9: all but the current one are ended at once", async () => {
    const { email, authToken } = await signUp();
    const others = await Promise.all([1, 2].map(async () => (await api.post("/auth/login", { email, password: PASSWORD })).body.user.authToken));

    expect((await api.delete("/users/me/sessions", { token: authToken })).status).toBe(204);

    for (const token of others) expect((await api.get("/users/me", { token })).status).toBe(401);
    expect((await api.get("/users/me/sessions", { token: authToken })).body.sessions).toHaveLength(1);
  });

  test.each(["none", "%00", "..%2f", "0190a8a0-0000-7000-8000-00000000000a", "x".repeat(5000)])("the id %s names no session", async (id) => {
    expect((await owner.delete(`/users/me/sessions/${id}`)).status).toBe(404);
  });
});
