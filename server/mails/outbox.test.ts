import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Viewer } from "#lib/auth";
import { db } from "#lib/db";
import { startJobs, stopJobs } from "#lib/jobs";
import { useDatabase } from "#lib/testing/database";
import { confirmEmail, queueConfirmation } from "../email-confirmation.ts";
import { jobs } from "../jobs.ts";
import { queueMail } from "../mails.ts";
import { requestPasswordReset } from "../password-reset.ts";
import { aMember, aSite, aVisit } from "../testing/people.ts";
import { getMail } from "./letters.ts";

vi.hoisted(() => {
  process.env.MAIL = "outbox";
});

useDatabase();

const OWNER: Viewer = { userId: "0190a8a0-0000-7000-8000-00000000000a", sessionId: "0190a8a0-0000-7000-8000-00000000000b", role: "OWNER", isVerified: true };

beforeAll(() => startJobs(jobs));

afterAll(() => stopJobs());

test("in the outbox a letter is kept, and can be read whole", async () => {
  const link = "http://localhost:3000/confirm-address?token=tok_3n";
  await db.$transaction((tx) => queueMail(tx, { to: "ada@example.org", userId: null, letter: "confirm-address", props: { link } }));
  const { mailId } = await db.mail.findFirstOrThrow();

  await vi.waitFor(async () => expect((await getMail(OWNER, mailId)).status).toBe("KEPT"), { timeout: 4000 });

  const { rendered } = await getMail(OWNER, mailId);
  expect(rendered).toMatchObject({ subject: "Confirm your address for Feedback", text: expect.stringContaining(link), html: expect.stringContaining(link) });
});

test("the link in a letter that works once stands apart, to be handed on, for as long as it works", async () => {
  await aSite();
  const member = await aMember();
  await db.$transaction((tx) => queueConfirmation(tx, { ...member, name: "Ada" }, "http://localhost:3000"));
  await (await requestPasswordReset(aVisit(), { email: member.email }))();
  await db.$transaction((tx) => queueMail(tx, { to: member.email, userId: null, letter: "password-changed", props: { link: "http://localhost:3000/me" } }));

  const before = await linksToPassOn();
  const tokenOf = (letter: string) => new URL(before[letter] ?? "").searchParams.get("token") ?? "";
  await confirmEmail({ token: tokenOf("confirm-address") });
  const afterUse = await linksToPassOn();
  await db.mailToken.updateMany({ data: { expiresAt: new Date() } });

  expect(before).toEqual({
    "confirm-address": expect.stringMatching(/\/confirm-address\?token=/),
    "reset-password": expect.stringMatching(/\/reset-password\?token=/),
    "password-changed": null,
  });
  expect(afterUse).toEqual({ ...before, "confirm-address": null });
  expect(await linksToPassOn()).toEqual({ "confirm-address": null, "reset-password": null, "password-changed": null });
});

/** What each kind of letter shows to be handed on. */
async function linksToPassOn(): Promise<Record<string, string | null>> {
  const letters = await db.mail.findMany({ select: { mailId: true, letter: true } });
  return Object.fromEntries(await Promise.all(letters.map(async ({ mailId, letter }) => [letter, (await getMail(OWNER, mailId)).oneTimeLink])));
}
