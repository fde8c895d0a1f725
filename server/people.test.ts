import { beforeEach, expect, test } from "vitest";
import { findViewer } from "#lib/auth";
import { DAY_MS } from "#lib/days";
import { databaseKind, db } from "#lib/db";
import { foldForSearch } from "#lib/search";
import { useDatabase } from "#lib/testing/database";
import { deleteBoard } from "./boards/deletion.ts";
import { createBoard } from "./boards.ts";
import { logIn } from "./login.ts";
import { blockPerson, endPersonSession, endPersonSessions, getPerson, listPeople, readPeople, searchPeople, unblockPerson } from "./people.ts";
import { codeOf } from "./testing/failures.ts";
import { aMember, anOwner, aSession, aSite, aVisit, PASSWORD, type Person } from "./testing/people.ts";

useDatabase();

let owner: Person;

beforeEach(async () => {
  await aSite();
  owner = await anOwner({ name: "Olive", email: "olive@example.com", createdAt: new Date(0), verifiedAt: new Date(), searchText: "olive olive@example.com" });
});

/** A member whom search finds. */
function named(name: string, email: string, facts: Parameters<typeof aMember>[0] = {}): Promise<Person> {
  return aMember({ name, email, searchText: foldForSearch(`${name} ${email}`), ...facts });
}

async function namesFound(query: object): Promise<string[]> {
  return (await listPeople(owner.viewer, query)).people.map(({ name }) => name);
}

async function batchesOf(...asked: Parameters<typeof readPeople>) {
  const batches = [];
  for await (const batch of readPeople(...asked)) batches.push(batch);
  return batches;
}

test("pages of 25 hold everybody once, who came last first, also those who came at once", async () => {
  const at = new Date("2026-01-01T00:00Z");
  for (let index = 0; index < 60; index += 1) await aMember({ createdAt: index < 40 ? at : new Date(at.getTime() + index) });
  const all = await db.user.findMany({ orderBy: [{ createdAt: "desc" }, { userId: "desc" }] });

  const read: string[] = [];
  let after: string | undefined;
  do {
    const page = await listPeople(owner.viewer, { after });
    expect(page.people.length).toBeLessThanOrEqual(25);
    expect(page.counts).toEqual({ all: 61, blocked: 0, unconfirmed: 60 });
    read.push(...page.people.map(({ userId }) => userId));
    after = page.next ?? undefined;
  } while (after);

  expect(read).toEqual(all.map(({ userId }) => userId));
});

test("everybody can be read, some hundreds at a time, in the order of the pages and with what they choose", async () => {
  const at = new Date("2026-01-01T00:00Z");
  const facts = (index: number) => ({
    name: `Person ${index}`,
    username: `p${index}`,
    email: `p${index}@example.com`,
    passwordHash: "",
    searchText: `p${index}`,
  });
  await db.user.createMany({ data: Array.from({ length: 1100 }, (_, index) => ({ ...facts(index), createdAt: at, blockedAt: index % 2 ? at : null })) });
  const all = await db.user.findMany({ where: { blockedAt: { not: null } }, orderBy: [{ createdAt: "desc" }, { userId: "desc" }] });

  const batches = await batchesOf(owner.viewer, { show: "blocked" });

  expect(Math.max(...batches.map(({ length }) => length))).toBe(500);
  expect(batches.flat().map(({ userId }) => userId)).toEqual(all.map(({ userId }) => userId));
  expect((await batchesOf(owner.viewer, { q: "olive" })).flat()).toMatchObject([{ name: "Olive", sessionCount: 1 }]);
  expect(await codeOf(batchesOf((await aMember()).viewer, {}))).toBe("FORBIDDEN");
});

test("search finds by parts of name and address, whatever their case and accents, and takes nothing for a wildcard", async () => {
  await named("Zoë Ångström", "zoe@example.org");
  await named("Zoltan", "z_100%@example.org");

  expect(await namesFound({ q: " ZOE " })).toEqual(["Zoë Ångström"]);
  expect(await namesFound({ q: "example.org angstrom" })).toEqual(["Zoë Ångström"]);
  expect(await namesFound({ q: "z_1" })).toEqual(["Zoltan"]);
  expect(await namesFound({ q: "%" })).toEqual(["Zoltan"]);
  expect(await namesFound({ q: "\\" })).toEqual([]);
  expect((await listPeople(owner.viewer, { q: "zo" })).counts).toEqual({ all: 2, blocked: 0, unconfirmed: 2 });
});

test("a search names those who came last, no more than asked for, and nobody where nothing is looked for", async () => {
  for (const [index, name] of ["Zoé One", "Zoe Two", "Zoe Three"].entries())
    await named(name, `z${index}@example.com`, { createdAt: new Date(index * DAY_MS) });
  const search = async (q: string) => (await searchPeople(owner.viewer, q, 2)).map(({ name }) => name);

  expect(await search("ZOÉ")).toEqual(["Zoe Three", "Zoe Two"]);
  expect(await search("one zoe")).toEqual(["Zoé One"]);
  for (const nothing of ["", " \0 ", "\u0301", "\ud83d", "%"]) expect(await search(nothing), nothing).toEqual([]);
});

test("an overlong query is cut", async () => {
  await named("Zoe", "zoe@example.com");

  const found = await searchPeople(owner.viewer, `${"zoe ".repeat(100)}x`, 2);

  expect(found).toMatchObject([{ name: "Zoe" }]);
});

test("the blocked and the unconfirmed can be listed alone", async () => {
  await aMember({ name: "Blocked", blockedAt: new Date(), verifiedAt: new Date() });
  await aMember({ name: "Unconfirmed" });

  expect(await namesFound({ show: "blocked" })).toEqual(["Blocked"]);
  expect(await namesFound({ show: "unconfirmed" })).toEqual(["Unconfirmed"]);
  expect((await listPeople(owner.viewer)).counts).toEqual({ all: 3, blocked: 1, unconfirmed: 1 });
});

test("a person shows how many living sessions they have and when one was used last; dead ones count nowhere", async () => {
  const member = await aMember();
  const seen = new Date(Date.now() + 1000);
  await aSession(member.userId, { lastSeenAt: seen });
  await aSession(member.userId, { createdAt: new Date(Date.now() - 91 * DAY_MS), lastSeenAt: new Date(seen.getTime() + 1000) });
  await aSession(member.userId, { createdAt: new Date(Date.now() - 40 * DAY_MS), lastSeenAt: new Date(Date.now() - 31 * DAY_MS) });

  const [listed] = (await listPeople(owner.viewer)).people;
  const person = await getPerson(owner.viewer, member.userId);

  expect(listed).toMatchObject({ userId: member.userId, sessionCount: 2, lastSeenAt: seen });
  expect(person).toMatchObject({ sessionCount: 2, lastSeenAt: seen, postCount: 0, isViewer: false });
  expect(person.sessions.map(({ isCurrent }) => isCurrent)).toEqual([false, false]);
  expect((await getPerson(owner.viewer, owner.userId)).sessions).toMatchObject([{ isCurrent: true }]);
  expect(JSON.stringify([listed, person])).not.toContain("$2b$");
});

test("the posts of a deleted board are gone from their author's figure, too", async () => {
  const member = await aMember();
  const [kept, deleted] = [await createBoard(owner.viewer, { name: "Ideas" }), await createBoard(owner.viewer, { name: "Bugs" })];
  for (const { boardId } of [kept, deleted]) await db.post.create({ data: { boardId, authorId: member.userId, title: "Hello" } });
  expect(await getPerson(owner.viewer, member.userId)).toMatchObject({ postCount: 2 });

  await deleteBoard(owner.viewer, deleted.boardId);

  expect(await getPerson(owner.viewer, member.userId)).toMatchObject({ postCount: 1 });
});

test("who is blocked is out at once, with every session, and cannot come back until unblocked", async () => {
  const member = await aMember();
  await aSession(member.userId);

  await blockPerson(owner.viewer, member.userId);

  expect(await findViewer(member.token)).toBeNull();
  expect(await db.session.count({ where: { userId: member.userId } })).toBe(0);
  expect(await codeOf(logIn(aVisit(), { email: member.email, password: PASSWORD }))).toBe("USER_BLOCKED");
  const { blockedAt } = await getPerson(owner.viewer, member.userId);
  expect(blockedAt).toBeInstanceOf(Date);
  await blockPerson(owner.viewer, member.userId);
  expect(await getPerson(owner.viewer, member.userId)).toMatchObject({ blockedAt, sessionCount: 0 });

  await unblockPerson(owner.viewer, member.userId);

  expect(await findViewer(member.token)).toBeNull();
  expect(await codeOf(logIn(aVisit(), { email: member.email, password: PASSWORD }))).toBe("none");
});

test("nobody blocks themselves, the last owner or somebody who is not there", async () => {
  const other = await anOwner({ blockedAt: new Date() });
  const unseen = { ...other.viewer };

  for (const id of [owner.userId, owner.userId.toUpperCase()]) expect(await codeOf(blockPerson(owner.viewer, id))).toBe("OWN_ACCOUNT");
  expect(await getPerson(owner.viewer, owner.userId.toUpperCase())).toMatchObject({ userId: owner.userId, isViewer: true });
  expect(await codeOf(blockPerson(unseen, owner.userId))).toBe("LAST_OWNER");
  for (const userId of ["x", crypto.randomUUID()]) {
    expect(await codeOf(blockPerson(owner.viewer, userId))).toBe("NOT_FOUND");
    expect(await codeOf(unblockPerson(owner.viewer, userId))).toBe("NOT_FOUND");
    expect(await codeOf(getPerson(owner.viewer, userId))).toBe("NOT_FOUND");
  }
  expect(await findViewer(owner.token)).not.toBeNull();
});

test("sessions of somebody end one by one or all, but never the one that asks", async () => {
  const member = await aMember();
  const one = await aSession(member.userId);

  await endPersonSession(owner.viewer, member.userId, one.sessionId);
  expect([await findViewer(one.token), await findViewer(member.token)]).toEqual([null, expect.anything()]);
  for (const [userId, sessionId] of [
    [member.userId, one.sessionId],
    [owner.userId, member.viewer.sessionId],
    ["x", "y"],
  ] as const)
    expect(await codeOf(endPersonSession(owner.viewer, userId, sessionId))).toBe("SESSION_NOT_FOUND");

  await endPersonSessions(owner.viewer, member.userId);
  await endPersonSessions(owner.viewer, owner.userId);
  expect([await findViewer(member.token), await findViewer(owner.token)]).toEqual([null, expect.anything()]);
});

test("a member sees nobody's address and changes nothing of anybody", async () => {
  const member = await aMember();
  const { sessionId } = await aSession(owner.userId);
  const actions = [
    () => listPeople(member.viewer),
    () => searchPeople(member.viewer, "a", 5),
    () => getPerson(member.viewer, member.userId),
    () => blockPerson(member.viewer, owner.userId),
    () => unblockPerson(member.viewer, member.userId),
    () => endPersonSession(member.viewer, owner.userId, sessionId),
    () => endPersonSessions(member.viewer, owner.userId),
  ];

  for (const act of actions) expect(await codeOf(act())).toBe("FORBIDDEN");
  expect(await codeOf(listPeople(null))).toBe("UNAUTHENTICATED");
  expect(await db.session.count({ where: { userId: owner.userId } })).toBe(2);
});

test.for([{ after: "x" }, { show: "everybody" }, { q: ["x"] }])("%j is no question", async (query) => {
  await expect(listPeople(owner.viewer, query)).rejects.toMatchObject({ name: "ZodError" });
});

const HIDDEN = "the embedded database's one connection hides such races";

test("of owners who all block each other at once, one is left", async ({ skip }) => {
  skip(databaseKind() === "embedded", HIDDEN);
  for (let round = 0; round < 10; round += 1) {
    await db.user.updateMany({ data: { blockedAt: null } });
    const owners = [owner, await anOwner(), await anOwner()];

    const codes = await Promise.all(
      owners.flatMap((one) => owners.filter((other) => other !== one).map((other) => codeOf(blockPerson(one.viewer, other.userId)))),
    );

    expect(codes.filter((code) => code !== "none" && code !== "LAST_OWNER")).toEqual([]);
    expect(await db.user.count({ where: { role: "OWNER", blockedAt: null } })).toBe(1);
    await db.user.updateMany({ where: { userId: { in: owners.slice(1).map(({ userId }) => userId) } }, data: { role: "MEMBER" } });
  }
});

test("no session that begins while its owner is being blocked outlives the block", async ({ skip }) => {
  skip(databaseKind() === "embedded", HIDDEN);
  for (let round = 0; round < 10; round += 1) {
    const member = await aMember();
    const signIns = Array.from({ length: 3 }, () => codeOf(logIn(aVisit(), { email: member.email, password: PASSWORD })));

    const codes = await Promise.all([...signIns, blockPerson(owner.viewer, member.userId).then(() => "USER_BLOCKED")]);

    expect(codes.filter((code) => code !== "none" && code !== "USER_BLOCKED")).toEqual([]);
    expect(await db.session.count({ where: { userId: member.userId } })).toBe(0);
  }
});
