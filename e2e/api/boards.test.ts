import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { startSite, type TestSite } from "../site.ts";
import { type Answer, type Api, apiOf, type Board, newEmail, PASSWORD } from "./client.ts";

const CANARY = "Zeisig-Kanarienvogel";
const BOARD_COUNT = 23;

let site: TestSite;
let api: Api;
let owner: Api;
let member: Api;
let secret: Board;
const publicNames: string[] = [];

beforeAll(async () => {
  site = await startSite({ template: inject("databaseTemplate") });
  api = apiOf(site.url);
  owner = api.as({ token: site.owner.authToken });
  member = api.as({ token: (await api.post("/auth/signup", { email: newEmail(), password: PASSWORD })).body.user.authToken });
  for (let number = 1; number <= BOARD_COUNT; number++) {
    publicNames.push(`Board ${number}`);
    await owner.post("/boards", { name: `Board ${number}` });
    if (number === 12) secret = (await owner.post("/boards", { name: CANARY, isPrivate: true })).body.board;
  }
});

afterAll(async () => {
  await api?.close();
  await site?.remove();
});

const names = (answer: Answer) => answer.body.boards.map(({ name }) => name);
const newestFirst = () => publicNames.toReversed();

describe("GET /boards", () => {
  test("answers the ten newest, each with exactly its six documented fields", async () => {
    const answer = await api.get("/boards", { raw: "{}", headers: { "content-type": "application/json" } });

    expect(names(answer)).toEqual(newestFirst().slice(0, 10));
    expect(Object.keys(answer.body)).toEqual(["boards"]);
    for (const board of answer.body.boards) {
      expect(board).toEqual({
        boardId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: expect.any(String),
        color: expect.stringMatching(/^[0-9a-f]{6}$/),
        url: expect.stringMatching(/^board-\d+$/),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        post_count: "0",
      });
    }
  });

  test.each(["asc", "ASC", "Asc"])("created=%s begins with the oldest", async (created) => {
    expect(names(await api.get(`/boards?created=${created}`))).toEqual(publicNames.slice(0, 10));
  });

  test.each(["", "?created=desc", "?created=DESC", "?page=1", "?limit=10", "?limit=010", "?unknown=1", "?sort=x&created=desc"])(
    "%j answers as the defaults do",
    async (query) => {
      expect(names(await api.get(`/boards${query}`))).toEqual(newestFirst().slice(0, 10));
    },
  );

  test.each([
    "created=",
    "created=up",
    "created=asc%20",
    "created=descending",
    "limit=0",
    "limit=-1",
    "limit=1.5",
    "limit=1e2",
    "limit=ten",
    "limit=",
    "limit=%20",
    "limit=NaN",
    "limit=0x10",
    "limit=%D9%A1",
    "page=0",
    "page=-1",
    "page=x",
    "page=",
    "page=1.0",
    "limit=null",
    "limit[]=x&limit=0",
    "after=",
    "after=x",
    "after=%00",
    "after=MQ",
    `after=${"x".repeat(5000)}`,
    "limit=1&limit=0",
  ])("?%s answers 400 VALIDATION_ERROR and names the field", async (query) => {
    const answer = await api.get(`/boards?${query}`);

    expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.message).toMatch(/^(created|limit|page|after) .+\.$/);
  });

  test("of a parameter given twice the last counts", async () => {
    expect(names(await api.get("/boards?limit=1&limit=2"))).toHaveLength(2);
  });

  test("a limit over 100 means 100, however large it is", async () => {
    for (const limit of ["101", "100000", "9".repeat(40)]) expect(names(await api.get(`/boards?limit=${limit}`))).toEqual(newestFirst());
  });

  test("past the end there is an empty list, however far", async () => {
    for (const page of ["4", "1000000", "9".repeat(15), "9".repeat(40)]) {
      const answer = await api.get(`/boards?page=${page}`);

      expect([answer.status, answer.body, answer.headers["x-total-count"]]).toEqual([200, { boards: [] }, String(BOARD_COUNT)]);
    }
  });

  test.each(["asc", "desc"])("the pages of %s never overlap and leave nothing out, by number and by cursor", async (created) => {
    const expected = created === "asc" ? publicNames : newestFirst();
    const byNumber = [1, 2, 3, 4].map(async (page) => names(await api.get(`/boards?created=${created}&limit=7&page=${page}`)));

    expect((await Promise.all(byNumber)).flat()).toEqual(expected);
    expect(await follow(api, `/boards?created=${created}&limit=7`, 'rel="next"; title="after"')).toEqual(expected);
    expect(await follow(api, `/boards?created=${created}&limit=7`, 'rel="next"')).toEqual(expected);
  });

  test("Link names first, prev, next and last, each of which answers", async () => {
    const answer = await api.get("/boards?limit=5&page=3");
    const links = Object.fromEntries([...(answer.headers.link ?? "").matchAll(/<([^>]+)>; rel="(\w+)"(?!;)/g)].map(([, address, rel]) => [rel, address]));

    expect(Object.keys(links).sort()).toEqual(["first", "last", "next", "prev"]);
    expect(names(await api.get(links.first ?? ""))).toEqual(newestFirst().slice(0, 5));
    expect(names(await api.get(links.prev ?? ""))).toEqual(newestFirst().slice(5, 10));
    expect(names(await api.get(links.next ?? ""))).toEqual(newestFirst().slice(15, 20));
    expect(names(await api.get(links.last ?? ""))).toEqual(newestFirst().slice(20));
  });

  test("after together with page answers 400", async () => {
    const cursor = /after=([\w-]+)/.exec((await api.get("/boards")).headers.link ?? "")?.[1];

    expect((await api.get(`/boards?after=${cursor}`)).status).toBe(200);
    expect((await api.get(`/boards?after=${cursor}&page=1`)).body.code).toBe("VALIDATION_ERROR");
  });

  test("ETag is answered with 304 until something changes", async () => {
    const first = await api.get("/boards?limit=3");
    const etag = first.headers.etag ?? "";
    const ask = (known: string) => api.get("/boards?limit=3", { headers: { "if-none-match": known } });

    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) expect([(await ask(known)).status, (await ask(known)).text]).toEqual([304, ""]);
    expect((await ask('"other"')).status).toBe(200);
    await owner.patch(`/boards/${first.body.boards[0]?.boardId}`, { color: "abcdef" });
    expect((await ask(etag)).status).toBe(200);
  });
});

describe("a private board", () => {
  test("is in the owner's list and count", async () => {
    const answer = await owner.get("/boards?limit=100");

    expect([names(answer).includes(CANARY), answer.headers["x-total-count"]]).toEqual([true, String(BOARD_COUNT + 1)]);
  });

  test("Z3: is nowhere for anybody else: not in a list, a count, a page, an error", async () => {
    const asked = [
      ["GET", "/boards?limit=100"],
      ["GET", "/boards?created=asc&limit=100"],
      ["GET", "/boards?limit=11&page=2"],
      ["GET", `/boards/${secret.boardId}`],
      ["HEAD", `/boards/${secret.boardId}`],
      ["PATCH", `/boards/${secret.boardId}`],
      ["DELETE", `/boards/${secret.boardId}`],
      ["GET", "/settings/site"],
      ["GET", "/openapi.json"],
      ["GET", "/users/me"],
    ] as const;

    for (const caller of [api, member]) {
      for (const [method, path] of asked) {
        const answer = await caller.call(method, path);

        expect([path, answer.text.includes(CANARY), JSON.stringify(answer.headers).includes(String(secret.boardId)) && method !== "DELETE"]).toEqual([
          path,
          false,
          false,
        ]);
      }
      expect((await caller.get("/boards?limit=1")).headers["x-total-count"]).toBe(String(BOARD_COUNT));
      expect((await caller.get(`/boards/${secret.boardId}`)).text).toBe((await caller.get("/boards/0190a8a0-0000-7000-8000-00000000000a")).text);
    }
  });

  test("Z3: its cursor shows nobody else that it is there", async () => {
    const cursor = Buffer.from(`${Date.parse(secret.createdAt)}.${secret.boardId}`).toString("base64url");

    expect(names(await api.get(`/boards?limit=100&after=${cursor}`))).toEqual(publicNames.slice(0, 12).toReversed());
  });

  test("Z3: is in no answer made for somebody else and kept", async () => {
    const owned = await owner.get("/boards?limit=100");
    const open = await api.get("/boards?limit=100", { headers: { "if-none-match": owned.headers.etag ?? "" } });

    expect([open.status, open.text.includes(CANARY), owned.headers["cache-control"]]).toEqual([200, false, expect.stringContaining("private")]);
  });

  test("Z3: is on no page, however that is asked for", async () => {
    for (const path of ["/", "/?page=2", "/?page=3", `/boards/${secret.url}`, `/boards/${secret.boardId}`]) {
      for (const headers of [{}, { rsc: "1" }, { rsc: "1", "next-router-prefetch": "1" }]) {
        const page = await fetch(`${site.url}${path}`, { headers: headers as Record<string, string> });

        expect([path, (await page.text()).includes(CANARY)]).toEqual([path, false]);
      }
    }
  });
});

async function follow(caller: Api, start: string, attributes: string): Promise<string[]> {
  const found: string[] = [];
  let address: string | undefined = start;
  while (address) {
    const answer: Answer = await caller.get(address);
    found.push(...names(answer));
    const next = (answer.headers.link ?? "").split(/, (?=<)/).find((link) => link.endsWith(attributes));
    address = next && /<([^>]+)>/.exec(next)?.[1];
  }
  return found;
}
