import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { startServer } from "../server.ts";
import { SITE_SETTINGS, startSite, type TestSite } from "../site.ts";
import { type Answer, type Api, apiOf, NOBODYS_ADDRESS, newEmail, PASSWORD } from "./client.ts";
import { type Contract, loadContract } from "./contract.ts";

const FUZZED_BODIES = scale(300, 10_000);
const AT_ONCE = 10;

/** A site of its own: what is fuzzed here would change under the tests of the shared one. */
let site: TestSite;
let api: Api;
let owner: Api;
let contract: Contract;

beforeAll(async () => {
  site = await startSite({ template: inject("databaseTemplate") });
  api = apiOf(site.url);
  owner = api.as({ token: site.owner.authToken });
  contract = await loadContract(site.url);
});

afterAll(async () => {
  await api?.close();
  await site?.remove();
});

// Two writes would end the session that the rest of the run is made with: they are made as nobody.
const ENDS_SESSIONS = ["/auth/logout", "/users/me/sessions"];
const writes = () => contract.operations.filter(({ method }) => method !== "GET");
const asOwner = (path: string) => (ENDS_SESSIONS.includes(path) ? fc.constant(false) : fc.boolean());

/** The names and documented schemas of what a write takes. */
function fieldsOf({ operation }: Contract["operations"][number]): [string, Record<string, unknown>][] {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  const named = (schema?.$ref ? contract.document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema) as
    | { properties?: Record<string, Record<string, unknown>> }
    | undefined;
  return Object.entries(named?.properties ?? {});
}

/** The one field that is read only when the one before it is right. `e2e/api/password-reset.test.ts` has a mailed token. */
const BEHIND_TOKEN = "/auth/password/validate password";

/** A body that is taken as it is, so that a field that is added to it decides: what is wrong here must not hide what is wrong there. */
function validBody(method: string, path: string): Record<string, unknown> {
  if (method === "PATCH") return {};
  if (path === "/boards") return { name: "Wrong types" };
  return { email: newEmail(), password: PASSWORD };
}

test("I1: fuzzed bodies over all writes never make a 5xx, and every refusal is {message, code}", { timeout: scale(60_000, 3_600_000) }, async () => {
  const statuses: Record<number, number> = {};
  const calls = fc.sample(fc.oneof({ weight: 4, arbitrary: structured() }, { weight: 1, arbitrary: raw() }), FUZZED_BODIES);

  for (let at = 0; at < calls.length; at += AT_ONCE) {
    // The client checks each answer against the OpenAPI document, so also the form of each refusal.
    const answers = await Promise.all(
      calls.slice(at, at + AT_ONCE).map(({ method, path, body, asOwner }) => (asOwner ? owner : api).call(method, path, { raw: body })),
    );
    for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  }
  await owner.patch("/settings/site", SITE_SETTINGS);

  const failures = Object.entries(statuses).filter(([status]) => Number(status) >= 500);
  reportBar({ bar: "I1", measure: `5xx among ${FUZZED_BODIES} fuzzed bodies`, figure: failures.length, ok: failures.length === 0 });
  expect(failures).toEqual([]);
});

/** A write whose fields hold anything, often something that is nearly right. */
function structured() {
  return fc.constantFrom(...writes()).chain((write) => {
    const names = [...fieldsOf(write).map(([name]) => name), "__proto__", "constructor", "unknown"];
    const nearly = fc.constantFrom<unknown>(
      "",
      " ",
      // It may end up as a title, and answers show titles: so it is the one address that they may show.
      NOBODYS_ADDRESS,
      PASSWORD,
      "abcdef",
      "x".repeat(300),
      true,
      0,
      -1,
      1e308,
      null,
      { not: "" },
      [[]],
      { current: PASSWORD, new: "short" },
      "\u0000",
      "\ud800",
    );
    const body = fc.dictionary(fc.constantFrom(...names), fc.oneof(nearly, fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: "binary" })));
    return fc.record({
      method: fc.constant(write.method),
      path: fc.constant(write.path),
      body: body.map((value) => JSON.stringify(value)),
      asOwner: asOwner(write.path),
    });
  });
}

/** A write whose body is hardly JSON. */
function raw() {
  const body = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.json(),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  );
  return fc
    .constantFrom(...writes())
    .chain(({ method, path }) => fc.record({ method: fc.constant(method), path: fc.constant(path), body, asOwner: asOwner(path) }));
}

describe("I2: each field of each write", () => {
  const wrong: unknown[] = [{}, [], ["x"], 7, 1.5, true, null, { not: "" }, { contains: "" }, { $ne: null }, { set: "x" }, [[]], { length: 3 }];

  test("refuses each wrong type with 400, naming the field, and leaks no row", async () => {
    // Set-up refuses everything once it was done, a change of a board that there is none.
    const fresh = await startServer({ template: inject("databaseTemplate") });
    onTestFinished(fresh.remove);
    const nobody = apiOf(fresh.url);
    const { board } = (await owner.post("/boards", { name: "Wrong types" })).body;
    const leaks: unknown[] = [];
    let tried = 0;
    for (const write of writes()) {
      for (const [name, schema] of fieldsOf(write).filter(([name]) => `${write.path} ${name}` !== BEHIND_TOKEN)) {
        for (const value of wrong.filter((candidate) => schema.type === "object" || typeof candidate !== schema.type)) {
          const caller = write.path === "/auth/setup" ? nobody : owner;
          const path = write.template.replace("{boardId}", String(board.boardId));
          const answer = await caller.call(write.method, path, { json: { ...validBody(write.method, path), [name]: value } });
          tried += 1;
          if (!isRefusalOf(name, answer)) leaks.push([write.method, write.path, name, value, answer.status, answer.text]);
        }
      }
    }
    await nobody.close();
    reportBar({ bar: "I2", measure: `fields of a wrong type taken, of ${tried}`, figure: leaks.length, ok: leaks.length === 0 });

    expect(leaks).toEqual([]);
  });
});

/** Codes of their own name their field by themselves. */
function isRefusalOf(field: string, { status, text, body }: Answer): boolean {
  return status === 400 && !text.includes('"user"') && (body.code !== "VALIDATION_ERROR" || String(body.message).includes(field));
}

describe("I4: text of every kind is stored identically or refused with 400", () => {
  const texts: [string, string, string][] = [
    ["NUL", "a\u0000b", "refused"],
    ["a lone high surrogate", "a\ud800b", "refused"],
    ["a lone low surrogate", "\udc00", "refused"],
    ["a line break", "a\r\nBcc: b", "refused"],
    ["ESC", "\u001b[31m", "refused"],
    ["an RTL override", "abc\u202edef", "kept"],
    ["RTL", "שלום עליכם", "kept"],
    ["four-byte emoji", "👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿", "kept"],
    ["the last code point", "\u{10ffff}", "kept"],
    ["a noncharacter", "\uffff", "kept"],
    ["a byte order mark inside", "a\ufeffb", "kept"],
    ["50 combining marks", `e${"\u0316".repeat(50)}`, "kept"],
    ["10,000 combining marks", `e${"\u0301".repeat(10_000)}`, "refused"],
    ["quotes and comments", `'; DROP TABLE "User"; -- \\`, "kept"],
    ["markup", "<script>alert(1)</script>", "kept"],
    ["a format string", "%s%n{{7*7}}${7*7}", "kept"],
  ];

  test.each(texts)("%s", async (name, text, fate) => {
    const member = api.as({ token: (await api.post("/auth/signup", { email: newEmail(), password: PASSWORD })).body.user.authToken });
    const board = await owner.post("/boards", { name: text });
    const stored = [
      [board, board.status === 201 ? (await api.get(`/boards/${board.body.board.boardId}`)).body.board.name : null],
      [await owner.patch("/settings/site", { title: text }), (await api.get("/settings/site")).body.settings.title],
      [await member.patch("/users/me", { name: text }), (await member.get("/users/me")).body.user.name],
    ] as const;
    await owner.patch("/settings/site", { title: "Acme feedback" });
    const isFate = stored.every(([answer, value]) => (fate === "refused" ? answer.status === 400 : answer.status < 300 && value === text));
    reportBar({ bar: "I4", measure: `${name}, as the name of three things`, figure: isFate ? fate : "NEITHER", ok: isFate });

    for (const [answer, value] of stored) {
      if (fate === "refused") expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_ERROR"]);
      else expect([answer.status < 300, value]).toEqual([true, text]);
    }
  });

  test.each(texts)("%s as an email address, a password, a token and an address of a board", async (_name, text) => {
    const asEmail = await api.post("/auth/signup", { email: `${text}@example.com`, password: PASSWORD });
    const asUrl = await owner.post("/boards", { name: "x", url: text });
    const asToken = await api.post("/auth/email/validate", { token: text });
    const asPassword = await api.post("/auth/login", { email: "owner@example.com", password: text });

    // RFC 5322 lets many a sign into an address.
    expect([201, 400]).toContain(asEmail.status);
    expect([201, 400, 409]).toContain(asUrl.status);
    expect(asToken.status).toBe(400);
    expect([400, 401]).toContain(asPassword.status);
  });

  test("NFC: two ways to type one name are one name", async () => {
    const { body } = await owner.post("/boards", { name: "Cafe\u0301" });

    expect(body.board.name).toBe("Caf\u00e9");
  });
});
