import { v7 as createUuid } from "uuid";
import { afterEach, expect, test } from "vitest";
import { db } from "#lib/db";
import { env } from "#lib/env";
import { useDatabase } from "#lib/testing/database";
import { getStatistics } from "./statistics.ts";
import { aMember, anOwner, aSite, type Person } from "./testing/people.ts";

useDatabase();

/** Long before anything that is counted. */
const LONG_AGO = new Date("2020-01-01T00:00Z");

const { MAIL } = env();

let owner: Person;

afterEach(() => {
  env().MAIL = MAIL;
});

async function openSite(timeZone: string): Promise<void> {
  await aSite({ timeZone });
  owner = await anOwner({ createdAt: LONG_AGO });
}

async function aBoard(facts: { createdAt?: Date; deletedAt?: Date } = {}): Promise<string> {
  const { boardId } = await db.board.create({ data: { name: "Ideas", color: "4f46e5", url: createUuid(), createdAt: LONG_AGO, ...facts } });
  return boardId;
}

async function posts(boardId: string, ...instants: string[]): Promise<void> {
  await db.post.createMany({ data: instants.map((instant) => ({ boardId, title: "A wish", createdAt: new Date(instant) })) });
}

/** The days on which something came, with how much. */
async function postsByDay(now: string, days = "7"): Promise<Record<string, number>> {
  const { dates, figures } = await getStatistics(owner.viewer, { days }, new Date(now));
  expect(dates).toHaveLength(Number(days));
  return Object.fromEntries(dates.map((date, index) => [date, figures.posts.counts[index] ?? -1] as const).filter(([, count]) => count !== 0));
}

test("rows around midnight belong to the day that the site's time zone says", async () => {
  await openSite("Asia/Kolkata");
  await posts(await aBoard(), "2026-06-01T18:29:59.999Z", "2026-06-01T18:30:00.000Z", "2026-06-02T18:29:59.999Z", "2026-06-02T18:30:00.000Z");

  expect(await postsByDay("2026-06-03T12:00Z")).toEqual({ "2026-06-01": 1, "2026-06-02": 2, "2026-06-03": 1 });
});

test("west of Greenwich, too, and up to now", async () => {
  await openSite("America/Los_Angeles");
  await posts(await aBoard(), "2026-06-02T06:59:59.999Z", "2026-06-02T07:00:00.000Z", "2026-06-02T23:00:00.000Z", "2026-06-03T01:00:00.000Z");

  expect(await postsByDay("2026-06-02T23:30Z")).toEqual({ "2026-06-01": 1, "2026-06-02": 2 });
});

test("a day on which the clocks change has its 23 or 25 hours, and no day is lost", async () => {
  await openSite("Europe/Berlin");
  const boardId = await aBoard();
  await posts(boardId, "2026-03-28T23:00Z", "2026-03-29T21:59Z", "2026-03-29T22:00Z");
  await posts(boardId, "2026-10-24T22:00Z", "2026-10-25T00:30Z", "2026-10-25T01:30Z", "2026-10-25T22:59Z", "2026-10-25T23:00Z");

  expect(await postsByDay("2026-03-31T12:00Z")).toEqual({ "2026-03-29": 2, "2026-03-30": 1 });
  expect(await postsByDay("2026-10-27T12:00Z")).toEqual({ "2026-10-25": 4, "2026-10-26": 1 });
});

test("every kind is counted by when it came, next to the period before; what is deleted or not sent counts nowhere", async () => {
  await openSite("UTC");
  env().MAIL = "smtp";
  const [now, inside, before] = ["2026-06-30T12:00Z", "2026-06-24T00:00Z", "2026-06-23T23:59Z"];
  const boardId = await aBoard({ createdAt: new Date(inside) });
  await posts(boardId, inside, before, before, "2026-06-16T23:59Z");
  await posts(await aBoard({ createdAt: new Date(inside), deletedAt: new Date(inside) }), inside);
  await aMember({ createdAt: new Date(inside) });
  await aMember({ createdAt: new Date(before) });
  const letter = { to: "ada@example.org", letter: "confirm-address", props: {} };
  await db.mail.create({ data: { ...letter, status: "SENT", sentAt: new Date(inside) } });
  await db.mail.create({ data: { ...letter, status: "FAILED", createdAt: new Date(inside) } });

  const { figures, timeZone } = await getStatistics(owner.viewer, { days: "7" }, new Date(now));

  expect(timeZone).toBe("UTC");
  expect(figures).toEqual({
    posts: { counts: [1, 0, 0, 0, 0, 0, 0], total: 1, before: 2 },
    people: { counts: [1, 0, 0, 0, 0, 0, 0], total: 1, before: 1 },
    boards: { counts: [1, 0, 0, 0, 0, 0, 0], total: 1, before: 0 },
    letters: { counts: [1, 0, 0, 0, 0, 0, 0], total: 1, before: 0 },
  });
});

test("of letters those count that were sent or, where they stay here, those that do", async () => {
  await openSite("UTC");
  const letter = { to: "ada@example.org", letter: "confirm-address", status: "SENT", sentAt: new Date() } as const;
  await db.mail.createMany({ data: [{}, {}, { link: "http://localhost:3000" }].map((props) => ({ ...letter, props })) });
  const total = async () => (await getStatistics(owner.viewer)).figures.letters.total;

  env().MAIL = "smtp";
  const sent = await total();
  env().MAIL = "outbox";
  const kept = await total();

  expect({ sent, kept }).toEqual({ sent: 2, kept: 1 });
});

test("of letters that came before those that are kept, nothing is claimed", async () => {
  await openSite("UTC");

  const { figures } = await getStatistics(owner.viewer, { days: "90" });

  expect(figures.letters).toMatchObject({ total: 0, before: null });
  expect(figures.posts.before).toBe(0);
});

test("other numbers of days are refused, and so is who does not run the site", async () => {
  await openSite("UTC");
  const member = await aMember();

  await expect(getStatistics(owner.viewer, { days: "8" })).rejects.toThrow();
  await expect(getStatistics(member.viewer)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(getStatistics(null)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});
