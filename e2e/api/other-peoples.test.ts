import { beforeAll, expect, inject, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { type Answer, type Api, apiOf, newEmail, PASSWORD } from "./client.ts";
import { type Contract, loadContract } from "./contract.ts";

/** What nobody may set from outside, by the names that schemas and columns give it. */
const PRIVILEGED = {
  id: "0190a8a0-0000-7000-8000-00000000beef",
  userId: "0190a8a0-0000-7000-8000-00000000beef",
  boardId: "0190a8a0-0000-7000-8000-00000000beef",
  settingsId: 2,
  role: "OWNER",
  isOwner: true,
  isAdmin: true,
  permissions: ["board:create"],
  verified: true,
  isVerified: true,
  verifiedAt: "2000-01-01T00:00:00.000Z",
  blockedAt: null,
  createdAt: "2000-01-01T00:00:00.000Z",
  deletedAt: "2000-01-01T00:00:00.000Z",
  setUpAt: "2000-01-01T00:00:00.000Z",
  createdById: "0190a8a0-0000-7000-8000-00000000beef",
  isDemo: true,
  username: "somebody-else-1",
  passwordHash: "x",
  avatarId: "0190a8a0-0000-7000-8000-00000000beef",
  logoId: "0190a8a0-0000-7000-8000-00000000beef",
  siteUrl: "https://evil.example",
  position: -1,
  votes: 1000,
  voteCount: 1000,
  postCount: 1000,
  post_count: "1000",
  publicBoardCount: 1000,
  authToken: "x",
};

const { url, ownerToken } = inject("site");
const api = apiOf(url);
const owner = api.as({ token: ownerToken });
let contract: Contract;

type Somebody = Api & { email: string; userId: string };

async function aMember(): Promise<Somebody> {
  const email = newEmail();
  const { body } = await api.post("/auth/signup", { email, password: PASSWORD });
  return Object.assign(api.as({ token: body.user.authToken }), { email, userId: body.user.userId });
}

/** What an answer says of itself but for when it was last seen. */
function facts({ body }: Answer): unknown {
  return JSON.parse(JSON.stringify(body, (key, value) => (key === "lastSeenAt" || key === "authToken" ? undefined : value)));
}

beforeAll(async () => {
  contract = await loadContract(url);
});

test("Z4: fields that nobody may set are as they were after every write that names them", async () => {
  const member = await aMember();
  const { board } = (await owner.post("/boards", { name: "Kept as it is" })).body;
  const writes: [string, () => Promise<Answer>, () => Promise<Answer>][] = [
    ["PATCH /users/me", () => member.patch("/users/me", PRIVILEGED), () => member.get("/users/me")],
    ["PATCH /boards/{boardId}", () => owner.patch(`/boards/${board.boardId}`, PRIVILEGED), () => owner.get(`/boards/${board.boardId}`)],
    ["PATCH /settings/site", () => owner.patch("/settings/site", PRIVILEGED), () => owner.get("/settings/site")],
  ];
  const listed = contract.operations.filter(({ method }) => method === "PATCH").map(({ method, template }) => `${method} ${template}`);
  expect(writes.map(([name]) => name).sort()).toEqual(listed.sort());

  let changed = 0;
  for (const [name, write, read] of writes) {
    const before = facts(await read());
    const answer = await write();
    const after = facts(await read());
    if (JSON.stringify(after) !== JSON.stringify(before)) changed++;
    expect([name, answer.status, after]).toEqual([name, 200, before]);
  }
  expect((await member.post("/boards", { name: "Not theirs to make" })).status).toBe(403);
  reportBar({ bar: "Z4", measure: `writes of ${writes.length} that changed what nobody may set`, figure: changed, ok: changed === 0 });
});

test("Z4: what is new begins as everything new does, whatever its maker says", async () => {
  const { body } = await api.post("/auth/signup", { ...PRIVILEGED, email: newEmail(), password: PASSWORD });
  const newcomer = api.as({ token: body.user.authToken });
  expect(body.user.userId).not.toBe(PRIVILEGED.userId);
  expect(body.user.username).not.toBe(PRIVILEGED.username);
  expect((await newcomer.get("/users/me")).body.user).toMatchObject({ isVerified: false });
  expect((await newcomer.post("/boards", { name: "Not theirs to make" })).status).toBe(403);

  const { board } = (await owner.post("/boards", { ...PRIVILEGED, name: "A board of its own" })).body;
  expect(board.boardId).not.toBe(PRIVILEGED.boardId);
  expect(board.post_count).toBe("0");
  expect(Date.now() - Date.parse(board.createdAt)).toBeLessThan(60_000);
});

test("Z2: with somebody else's id nothing is read, changed or ended", async () => {
  const [one, other] = [await aMember(), await aMember()];
  const { board: hidden } = (await owner.post("/boards", { name: "Of the team alone", isPrivate: true })).body;
  const [session] = (await other.get("/users/me/sessions")).body.sessions;
  const swaps: [string, Answer, number[]][] = [
    ["DELETE /users/me/sessions/{sessionId}", await one.delete(`/users/me/sessions/${session?.sessionId}`), [404]],
    ["GET /boards/{boardId}", await one.get(`/boards/${hidden.boardId}`), [404]],
    ["PATCH /boards/{boardId}", await one.patch(`/boards/${hidden.boardId}`, { name: "Taken" }), [403, 404]],
    ["DELETE /boards/{boardId}", await one.delete(`/boards/${hidden.boardId}`), [403, 404]],
  ];
  const withId = contract.operations.filter(({ template }) => template.includes("{")).map(({ method, template }) => `${method} ${template}`);
  expect(swaps.map(([name]) => name).sort()).toEqual(withId.sort());

  const leaks = swaps.filter(([, { status, text }, allowed]) => !allowed.includes(status) || /Of the team alone/.test(text));
  reportBar({
    bar: "Z2",
    measure: `operations of ${swaps.length} that let somebody at what is another's`,
    figure: leaks.length,
    ok: leaks.length === 0,
  });
  expect(leaks).toEqual([]);
  expect((await other.get("/users/me")).status).toBe(200);
  expect((await owner.get(`/boards/${hidden.boardId}`)).body.board.name).toBe("Of the team alone");
});
