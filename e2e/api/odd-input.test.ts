import { request } from "node:http";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { startSite, type TestSite } from "../site.ts";
import { signIn } from "./browser.ts";
import { type Api, apiOf, checkWhole, newEmail, PASSWORD } from "./client.ts";
import { loadContract } from "./contract.ts";
import { ADDRESSES } from "./doors.ts";

let site: TestSite;
let api: Api;
let owner: Api;

beforeAll(async () => {
  site = await startSite({ template: inject("databaseTemplate") });
  api = apiOf(site.url);
  owner = api.as({ token: site.owner.authToken });
});

afterAll(async () => {
  await api?.close();
  await site?.remove();
});

/** Reports how many of `wrong` there are, and expects none. */
function expectNone(bar: string, measure: string, wrong: string[]): void {
  reportBar({ bar, measure, figure: wrong.length, ok: wrong.length === 0 });
  expect(wrong).toEqual([]);
}

test("I5: no odd id or address in any path makes more than a 404", { timeout: 120_000 }, async () => {
  const odd = [
    "..",
    "%2e%2e",
    "%2e%2e%2f%2e%2e",
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "a%00b",
    "%E0%A4%A",
    "%ff",
    "%F0%9F%92%A1",
    "null",
    "-1",
    "0",
    "%20",
    "'--",
    "x".repeat(10_240),
  ];
  const { operations } = await loadContract(site.url);
  const inApi = operations
    .filter(({ template }) => template.includes("{"))
    .map(({ method, template }) => [method, `/api/v1${template.replace(/\{\w+\}/, "[x]")}`]);
  const pages = Object.keys(ADDRESSES)
    .filter((address) => address.includes("["))
    .map((address) => ["GET", address]);

  const session = (await signIn(site.url, site.owner.email, site.owner.password)).cookie();

  const wrong: string[] = [];
  for (const [method = "", template = ""] of [...inApi, ...pages]) {
    for (const value of odd) {
      const path = template.replace(/\[+[^\]]+\]+/, value);
      const json = method === "GET" || method === "DELETE" ? undefined : {};
      const status = await statusOf(method, path, json, session);
      // Two dots are the folder above, as every browser reads them, and that is an address like any other.
      const isElsewhere = new URL(path, site.url).pathname !== path;
      const isRight = status === 400 || status === 404 || (isElsewhere && status < 500);
      if (!isRight) wrong.push(`${method} ${path.slice(0, 80)}: ${status}`);
    }
  }

  expectNone("I5", `odd path parts of ${(inApi.length + pages.length) * odd.length} that were let in, or broke something`, wrong);
});

/** Sent as it is written: `fetch` would tidy the path. */
function statusOf(method: string, path: string, json: unknown, cookie: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(site.url);
    // Pages know their owner by the cookie, else they would ask to sign in before they read the path.
    const who = path.startsWith("/api/v1/") ? { authorization: `Bearer ${site.owner.authToken}` } : { cookie };
    const call = request({ hostname, port, path, method, headers: { ...who, "content-type": "application/json" } }, (response) => {
      checkWhole(site.url, response, { method, path }).then(() => resolve(response.statusCode ?? 0), reject);
    });
    call.on("error", reject);
    call.end(json === undefined ? undefined : JSON.stringify(json));
  });
}

test("I6: odd limits, pages and cursors are refused or clamped", async () => {
  // More than the most that a page may have.
  for (let count = 0; count <= 100; count++) expect((await owner.post("/boards", { name: `Board ${count}` })).status).toBe(201);
  const { headers } = await api.get("/boards?limit=1");
  const cursor = /after=([^&>]+)/.exec(headers.link ?? "")?.[1] ?? "";
  expect((await api.get(`/boards?limit=1&after=${cursor}`)).status).toBe(200);
  const odd = ["-1", "NaN", "Infinity", "1e9", "1.5", "0x10", "abc", "%00", "null", "[]", "9".repeat(400), "", "%201"];
  const wrong: string[] = [];
  for (const name of ["limit", "page", "after"]) {
    for (const value of [...odd, "0", "1000000000", `${cursor}x`, cursor.slice(1), cursor.split("").reverse().join("")]) {
      const { status, body } = await api.get(`/boards?${name}=${value}`);
      const isClamped = status === 200 && body.boards.length <= 100;
      if (status !== 400 && !isClamped) wrong.push(`${name}=${value.slice(0, 40)}: ${status}`);
    }
  }

  expectNone("I6", "odd limits, pages and cursors that were neither refused nor clamped", wrong);
});

test("I12: nothing typed adds a header or a recipient to a letter", async () => {
  const odd = {
    "a line break in the address": "ada@example.org\r\nBcc: eve@example.org",
    "a line feed in the address": "ada@example.org\nBcc:eve@example.org",
    "two addresses": "ada@example.org, eve@example.org",
    "two addresses, by semicolon": "ada@example.org;eve@example.org",
    "a list of addresses": ["ada@example.org", "eve@example.org"],
    "an address with a name": "Ada <ada@example.org>",
    "a full-width @": "ada＠example.org",
    "a small @": "ada﹫example.org",
    "an address within one": "ada@example.org@evil.example",
  };
  const wrong: string[] = [];
  for (const [what, email] of Object.entries(odd)) {
    for (const path of ["/auth/signup", "/auth/login", "/auth/password/reset"]) {
      const { status } = await api.post(path, { email, password: PASSWORD });
      if (status !== 400) wrong.push(`${what} at ${path}: ${status}`);
    }
  }
  const named = await api.post("/auth/signup", { email: newEmail(), password: PASSWORD, name: "Ada\r\nBcc: eve@example.org" });
  if (named.status !== 400) wrong.push(`a line break in a name: ${named.status}`);
  const titled = await owner.patch("/settings/site", { title: "Acme\r\nBcc: eve@example.org" });
  if (titled.status !== 400) wrong.push(`a line break in the title: ${titled.status}`);

  expectNone("I12", "ways to smuggle something into a letter", wrong);
});

test("I13: keys and parameters that are given twice, or are named like parts of every object, change nothing else", async () => {
  const raw = '{"name":"first","name":"second","__proto__":{"isPrivate":true},"constructor":{"prototype":{"isPrivate":true}},"toString":"x"}';
  const { status, body } = await owner.call("POST", "/boards", { raw, headers: { "content-type": "application/json" } });
  const plain = (await owner.post("/boards", { name: "third" })).body.board as { isPrivate?: boolean };
  const twice = await api.get("/boards?limit=1&limit=2&__proto__[limit]=1&constructor=x");

  const wrong = [
    ...(status === 201 && body.board.name === "second" ? [] : [`the last of two keys does not count: ${status}`]),
    ...((body.board as { isPrivate?: boolean })?.isPrivate === false && plain.isPrivate === false ? [] : ["a prototype was changed"]),
    ...(twice.status === 200 && twice.body.boards.length === 2 ? [] : ["the last of two parameters does not count"]),
  ];
  expectNone("I13", "keys and parameters that meant something else", wrong);
});
