import { beforeAll, describe, expect, inject, test } from "vitest";
import { SITE_SETTINGS, startSite, type TestSite } from "../site.ts";
import { apiOf, type Board, newEmail, PASSWORD } from "./client.ts";

const { url, ownerToken } = inject("site");
const api = apiOf(url);
const owner = api.as({ token: ownerToken });

/** A name, and so an address, that no other test uses. */
function newName(): string {
  return `Ideas ${crypto.randomUUID().slice(0, 8)}`;
}

async function createBoard(more: object = {}): Promise<Board> {
  return (await owner.post("/boards", { name: newName(), ...more })).body.board;
}

describe("POST /boards", () => {
  test("answers 201 with the board, and GET the same", async () => {
    const name = newName();

    const answer = await owner.post("/boards", { name, post_count: "7", createdAt: "2001-01-01", boardId: "mine" });

    expect([answer.status, answer.headers.location]).toEqual([201, `/api/v1/boards/${answer.body.board.boardId}`]);
    expect(answer.body.board).toMatchObject({ name, url: name.toLowerCase().replace(" ", "-"), post_count: "0", isPrivate: false });
    expect(Date.now() - Date.parse(answer.body.board.createdAt)).toBeLessThan(60_000);
    expect((await api.get(`/boards/${answer.body.board.boardId}`)).body).toEqual(answer.body);
  });

  test("takes every given field", async () => {
    const given = { name: "🚀 Космос", url: `космос-${crypto.randomUUID().slice(0, 8)}`, color: "ABCDEF", isPrivate: true };

    expect((await owner.post("/boards", given)).body.board).toMatchObject({ ...given, color: "abcdef" });
  });

  test("finds an address where the name gives none, or a taken one", async () => {
    const [emoji, first, second] = [
      await createBoard({ name: "🎉🎉" }),
      await createBoard({ name: "Twice Used" }),
      await createBoard({ name: "Twice, used!" }),
    ];

    expect(emoji.url).toMatch(/^board-\d+$/);
    expect([first.url, second.url]).toEqual(["twice-used", "twice-used-2"]);
  });

  test.each([
    [{}, "name"],
    [{ name: "" }, "name"],
    [{ name: " \t " }, "name"],
    [{ name: "x".repeat(61) }, "name"],
    [{ name: "a\nb" }, "name"],
    [{ name: 5 }, "name"],
    [{ name: "x", url: "" }, "url"],
    [{ name: "x", url: "Big" }, "url"],
    [{ name: "x", url: "a--b" }, "url"],
    [{ name: "x", url: "-a" }, "url"],
    [{ name: "x", url: "a b" }, "url"],
    [{ name: "x", url: "../a" }, "url"],
    [{ name: "x", url: "x".repeat(81) }, "url"],
    [{ name: "x", color: "#abcdef" }, "color"],
    [{ name: "x", color: "abc" }, "color"],
    [{ name: "x", color: "red" }, "color"],
    [{ name: "x", isPrivate: "true" }, "isPrivate"],
    [{ name: "x", isPrivate: 1 }, "isPrivate"],
  ])("%j is refused, naming %s", async (json, field) => {
    const answer = await owner.post("/boards", json);

    expect([answer.status, answer.body.code, answer.body.message]).toEqual([400, "VALIDATION_ERROR", expect.stringMatching(new RegExp(`^${field} `))]);
  });

  test("lengths count code points", async () => {
    expect((await owner.post("/boards", { name: "🙂".repeat(60) })).status).toBe(201);
    expect((await owner.post("/boards", { name: "🙂".repeat(61) })).status).toBe(400);
  });

  test("answers 409 BOARD_URL_EXISTS for an address that is, or once was, another board's", async () => {
    const [past, present] = [`past-${crypto.randomUUID()}`, `present-${crypto.randomUUID()}`];
    const board = await createBoard({ url: past });
    await owner.patch(`/boards/${board.boardId}`, { url: present });

    for (const taken of [past, present]) {
      const answer = await owner.post("/boards", { name: "x", url: taken });

      expect([answer.status, answer.body.code]).toEqual([409, "BOARD_URL_EXISTS"]);
    }
  });
});

describe("/boards/{boardId}", () => {
  test("PATCH changes the given fields and leaves the others", async () => {
    const board = await createBoard();

    const answer = await owner.patch(`/boards/${board.boardId}`, { name: "Renamed", isPrivate: true, post_count: "9" });

    expect([answer.status, answer.body.board]).toEqual([200, { ...board, name: "Renamed", isPrivate: true }]);
    expect((await api.get(`/boards/${board.boardId}`)).body.code).toBe("BOARD_NOT_FOUND");
  });

  test("PATCH without a field changes nothing, and back to an old address of its own works", async () => {
    const board = await createBoard();
    await owner.patch(`/boards/${board.boardId}`, { url: `new-${crypto.randomUUID()}` });

    expect((await owner.patch(`/boards/${board.boardId}`, { url: board.url })).body.board).toEqual(board);
    expect((await owner.patch(`/boards/${board.boardId}`)).body.board).toEqual(board);
  });

  test("PATCH answers 409 for another board's address", async () => {
    const [one, other] = [await createBoard(), await createBoard()];

    const answer = await owner.patch(`/boards/${one.boardId}`, { url: other.url });

    expect([answer.status, answer.body.code]).toEqual([409, "BOARD_URL_EXISTS"]);
    expect((await api.get(`/boards/${one.boardId}`)).body.board).toEqual(one);
  });

  test("DELETE answers 204, and the board is gone from every answer at once", async () => {
    const board = await createBoard();
    const total = Number((await api.get("/boards")).headers["x-total-count"]);

    const answer = await owner.delete(`/boards/${board.boardId}`);

    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(Number((await api.get("/boards")).headers["x-total-count"])).toBe(total - 1);
    expect((await owner.get("/boards?limit=100")).text).not.toContain(board.boardId);
    for (const call of [owner.get, owner.patch, owner.delete]) expect((await call(`/boards/${board.boardId}`)).body.code).toBe("BOARD_NOT_FOUND");
  });

  test("a member may read a public board, and neither change nor delete it", async () => {
    const board = await createBoard();
    const member = api.as({ token: (await api.post("/auth/signup", { email: newEmail(), password: PASSWORD })).body.user.authToken });

    expect((await member.get(`/boards/${board.boardId}`)).status).toBe(200);
    for (const answer of [await member.patch(`/boards/${board.boardId}`, { name: "x" }), await member.delete(`/boards/${board.boardId}`)])
      expect([answer.status, answer.body.code]).toEqual([403, "FORBIDDEN"]);
    for (const answer of [await api.patch(`/boards/${board.boardId}`, { name: "x" }), await api.delete(`/boards/${board.boardId}`)])
      expect(answer.body.code).toBe("UNAUTHENTICATED");
  });

  test.each(["none", "0190a8a0-0000-7000-8000-00000000000a", "%2e%2e", "%00", "%E0%A4%A", "null", "x".repeat(10_000)])(
    "I5: the id %s names no board",
    async (id) => {
      for (const method of ["GET", "PATCH", "DELETE"]) expect([400, 404]).toContain((await owner.call(method, `/boards/${id}`)).status);
    },
  );
});

describe("/settings/site", () => {
  // Its settings are nobody else's; on PostgreSQL two processes serve it, as the shared one.
  let site: TestSite;
  let anyone: ReturnType<typeof apiOf>;
  let itsOwner: ReturnType<typeof anyone.as>;

  beforeAll(async () => {
    site = await startSite({ template: inject("databaseTemplate"), env: process.env.TEST_DATABASE_URL ? { WORKERS: "2" } : {} });
    anyone = apiOf(site.url);
    itsOwner = anyone.as({ token: site.owner.authToken });
    return site.remove;
  });

  test("GET answers what public pages show, with ETag and 304", async () => {
    const answer = await anyone.get("/settings/site");

    expect(Object.keys(answer.body.settings).sort()).toEqual(["accentColor", "allowSignup", "description", "logo", "title"]);
    expect((await anyone.get("/settings/site", { headers: { "if-none-match": answer.headers.etag ?? "" } })).status).toBe(304);
  });

  test("PATCH changes every field, each alone, and answers all of them", async () => {
    const changes = {
      title: "Фидбек 🍋",
      description: "Tell us",
      allowSignup: false,
      accentColor: "AbCdEf",
      requireConfirmedEmail: true,
      blockCommonPasswords: true,
    };

    for (const [field, value] of Object.entries(changes)) {
      const answer = await itsOwner.patch("/settings/site", { [field]: value });

      expect([answer.status, answer.body.settings]).toEqual([200, { ...SITE_SETTINGS, logo: null, [field]: field === "accentColor" ? "abcdef" : value }]);
      await itsOwner.patch("/settings/site", SITE_SETTINGS);
    }
  });

  test.each([
    { title: "" },
    { title: "x".repeat(101) },
    { title: null },
    { description: "x".repeat(501) },
    { allowSignup: "no" },
    { accentColor: "#abcdef" },
    { requireConfirmedEmail: 1 },
    { blockCommonPasswords: "" },
  ])("PATCH refuses %j and changes nothing", async (json) => {
    const answer = await itsOwner.patch("/settings/site", { description: "changed", ...json });

    expect([answer.status, answer.body.code, answer.body.message]).toEqual([
      400,
      "VALIDATION_ERROR",
      expect.stringMatching(new RegExp(`^${Object.keys(json)[0]} `)),
    ]);
    expect((await itsOwner.patch("/settings/site", {})).body.settings).toEqual({ ...SITE_SETTINGS, logo: null });
  });

  test("a member may not change them", async () => {
    const { authToken } = (await anyone.post("/auth/signup", { email: newEmail(), password: PASSWORD })).body.user;

    expect((await anyone.patch("/settings/site", { title: "Mine" }, { token: authToken })).body.code).toBe("FORBIDDEN");
    expect((await anyone.patch("/settings/site", { title: "Mine" })).body.code).toBe("UNAUTHENTICATED");
  });
});
