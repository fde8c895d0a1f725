import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Viewer } from "#lib/auth";
import { db } from "#lib/db";
import { startJobs, stopJobs } from "#lib/jobs";
import { useDatabase } from "#lib/testing/database";
import { jobs } from "../jobs.ts";
import { queueMail } from "../mails.ts";
import { getMail } from "./letters.ts";

vi.hoisted(() => {
  process.env.MAIL = "outbox";
});

useDatabase();

const OWNER: Viewer = { userId: "0190a8a0-0000-7000-8000-00000000000a", sessionId: "0190a8a0-0000-7000-8000-00000000000b", role: "OWNER", isVerified: true };

beforeAll(() => startJobs(jobs));

afterAll(() => stopJobs());

test("in the outbox a letter counts as sent, and can be read whole; the link in it that works once stands apart, to be handed on", async () => {
  const link = "http://localhost:3000/confirm-address?token=tok_3n";
  await db.$transaction((tx) => queueMail(tx, { to: "ada@example.org", userId: null, letter: "confirm-address", props: { link } }));
  const { mailId } = await db.mail.findFirstOrThrow();
  await db.$transaction((tx) =>
    queueMail(tx, { to: "ada@example.org", userId: null, letter: "password-changed", props: { link: "http://localhost:3000/me" } }),
  );
  const other = await db.mail.findFirstOrThrow({ where: { letter: "password-changed" } });

  await vi.waitFor(async () => expect((await getMail(OWNER, mailId)).status).toBe("SENT"), { timeout: 4000 });

  const { rendered, oneTimeLink } = await getMail(OWNER, mailId);
  expect([oneTimeLink, (await getMail(OWNER, other.mailId)).oneTimeLink]).toEqual([link, null]);
  expect(rendered).toMatchObject({ subject: "Confirm your address for Feedback", text: expect.stringContaining(link), html: expect.stringContaining(link) });
});
