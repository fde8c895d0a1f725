import { afterEach, beforeEach, expect, test } from "vitest";
import { db } from "#lib/db";
import { env } from "#lib/env";
import { useDatabase } from "#lib/testing/database";
import { createDemo } from "./demo.ts";
import { FIRST_STEPS, getFirstSteps, hideFirstSteps, showFirstSteps } from "./first-steps.ts";
import { aMember, anOwner, aSite, type Person } from "./testing/people.ts";

useDatabase();

let owner: Person;

beforeEach(async () => {
  await aSite();
  owner = await anOwner();
});

/** What is done of it, and last whether the list was put away; null where there is none. */
async function done(): Promise<string[] | null> {
  const { steps, isHidden } = (await getFirstSteps(owner.viewer)) ?? {};
  return steps ? [...FIRST_STEPS.filter((step) => steps[step]), ...(isHidden ? ["hidden"] : [])] : null;
}

const aBoard = (facts = {}) => db.board.create({ data: { name: "Ideas", color: "4f46e5", url: crypto.randomUUID(), ...facts } });
const describe = (description: string) => db.siteSettings.updateMany({ data: { description } });
const confirm = () => {
  owner.viewer.isVerified = true;
};
const { MAIL } = env();
const turnMailOn = () => {
  env().MAIL = "smtp";
};

afterEach(() => {
  env().MAIL = MAIL;
});

test("a new site has all of it before it", async () => {
  await aBoard({ deletedAt: new Date() });

  expect(await done()).toEqual([]);
});

test.for([
  ["board", () => aBoard({ isPrivate: true })],
  ["description", () => describe("Tell us")],
  ["address", () => confirm()],
  ["mail", () => turnMailOn()],
  ["people", () => aMember()],
] as const)("%s is ticked by what was done", async ([step, act]) => {
  await act();

  expect(await done()).toEqual([step]);
});

test("people that a demo made are not the first who were invited; somebody who signed up beside them is", async () => {
  await createDemo({ people: 3, posts: 1, boards: 1 }, () => {});
  expect(await done()).toEqual(["board"]);

  await aMember();

  expect(await done()).toEqual(["board", "people"]);
});

test.for([
  ["smtp", true],
  ["resend", true],
  ["outbox", false],
  ["none", false],
] as const)("mail that is %s counts as turned on: %s", async ([kind, isOn]) => {
  env().MAIL = kind;

  expect(await done()).toEqual(isOn ? ["mail"] : []);
});

test("the list is gone once all is done", async () => {
  await Promise.all([aBoard(), describe("Tell us"), confirm(), turnMailOn(), aMember()]);

  expect(await done()).toBeNull();
});

test("the list can be put away before that, by who runs the site", async () => {
  const member = await aMember();
  await expect(hideFirstSteps(member.viewer)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(getFirstSteps(null)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });

  await hideFirstSteps(owner.viewer);

  expect(await done()).toEqual(["people", "hidden"]);
  await expect(showFirstSteps(member.viewer)).rejects.toMatchObject({ code: "FORBIDDEN" });

  await showFirstSteps(owner.viewer);

  expect(await done()).toEqual(["people"]);
});
