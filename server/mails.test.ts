import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Viewer } from "#lib/auth";
import { DAY_MS } from "#lib/days";
import { db } from "#lib/db";
import { startJobs, stopJobs } from "#lib/jobs";
import { useDatabase } from "#lib/testing/database";
import { jobs } from "./jobs.ts";
import { deliverMail, getMail } from "./mails/letters.ts";
import { countMails, listMails, type NewMail, purgeOldMails, queueMail, requeueStrandedMails, retryMail } from "./mails.ts";
import { aMember } from "./testing/people.ts";

// Settings are read once per process, so the stand-in for Resend is there before anything reads them.
const resend = await vi.hoisted(async () => {
  const { startResendServer } = await import("#lib/testing/resend");
  const server = await startResendServer();
  Object.assign(process.env, { MAIL: "resend", RESEND_API_KEY: "re_secret", RESEND_BASE_URL: server.url });
  return server;
});

useDatabase();

const OWNER: Viewer = { userId: "0190a8a0-0000-7000-8000-00000000000a", sessionId: "0190a8a0-0000-7000-8000-00000000000b", role: "OWNER", isVerified: true };
const MEMBER: Viewer = { ...OWNER, role: "MEMBER" };
const LETTER: NewMail<"confirm-address"> = {
  to: "ada@example.org",
  userId: null,
  letter: "confirm-address",
  props: { name: "Ada", link: "https://feedback.example.com/confirm-address?token=tok_3n" },
};

beforeEach(async () => {
  Object.assign(resend, { mood: "well", requestCount: 0 });
  resend.delivered.length = 0;
  await db.siteSettings.create({ data: { title: "Nimbus", siteUrl: "https://feedback.example.com" } });
});

afterEach(() => stopJobs());

afterAll(() => resend.close());

/** Queues a letter and returns its id. */
async function queue(letter: Partial<NewMail<"confirm-address">> = {}): Promise<string> {
  await db.$transaction((tx) => queueMail(tx, { ...LETTER, ...letter }));
  return (await db.mail.findFirstOrThrow({ orderBy: { mailId: "desc" } })).mailId;
}

function mailOf(mailId: string) {
  return db.mail.findUniqueOrThrow({ where: { mailId } });
}

test("a queued letter goes out at once, is noted as sent, and its content is forgotten", async () => {
  await startJobs(jobs);

  const mailId = await queue();
  await vi.waitFor(async () => expect((await mailOf(mailId)).status).toBe("SENT"), { timeout: 4000 });

  expect(resend.delivered).toMatchObject([
    { idempotencyKey: mailId, to: ["ada@example.org"], subject: "Confirm your address for Nimbus", text: expect.stringContaining("tok_3n") },
  ]);
  expect(await mailOf(mailId)).toEqual(expect.objectContaining({ attempts: 1, lastError: null, props: {}, sentAt: expect.any(Date) }));
});

test("a letter whose transaction is rolled back is never written", async () => {
  await startJobs(jobs);

  const undone = db.$transaction(async (tx) => {
    await queueMail(tx, LETTER);
    throw new Error("no account after all");
  });
  await expect(undone).rejects.toThrow("no account after all");
  await sleep(500);

  expect(await db.mail.count()).toBe(0);
  expect(resend.requestCount).toBe(0);
});

test("while the mail service is down the letter waits with its words, and arrives when it is back", { timeout: 40_000 }, async () => {
  resend.mood = "failing";
  await startJobs(jobs);
  const mailId = await queue();
  const told = { status: "QUEUED", attempts: 1, lastError: "500 An unexpected error occurred" };
  await vi.waitFor(async () => expect(await mailOf(mailId)).toMatchObject(told), { timeout: 4000 });
  // Its job goes back into the queue a moment after the letter says why.
  await vi.waitFor(async () => expect((await getMail(OWNER, mailId)).nextAttemptAt?.getTime()).toBeGreaterThan(Date.now()), { timeout: 4000 });
  const withoutJob = await db.mail.create({ data: { to: "other@example.org", letter: "confirm-address", attempts: 1, props: {} } });
  expect((await getMail(OWNER, withoutJob.mailId)).nextAttemptAt).toBeNull();

  resend.mood = "well";
  await vi.waitFor(async () => expect((await mailOf(mailId)).status).toBe("SENT"), { timeout: 30_000 });

  expect(resend.delivered).toHaveLength(1);
  expect(await mailOf(mailId)).toMatchObject({ attempts: 2, lastError: null });
});

test("after the last attempt the letter has failed; sent again by hand, it arrives", async () => {
  const mailId = await queue();
  resend.mood = "failing";
  await deliverMail(mailId, { isLastAttempt: true });
  await db.$executeRaw`DELETE FROM pgboss.job`;
  expect(await mailOf(mailId)).toMatchObject({
    status: "FAILED",
    attempts: 1,
    lastError: "500 An unexpected error occurred",
    props: expect.objectContaining({ props: LETTER.props }),
  });

  resend.mood = "well";
  await retryMail(OWNER, mailId);
  await startJobs(jobs);
  await vi.waitFor(async () => expect((await mailOf(mailId)).status).toBe("SENT"), { timeout: 4000 });

  expect(resend.delivered).toHaveLength(1);
});

test("a letter that was sent is not sent again, by a second job or by hand", async () => {
  const mailId = await queue();
  await deliverMail(mailId, { isLastAttempt: false });

  await deliverMail(mailId, { isLastAttempt: false });
  await retryMail(OWNER, mailId);

  expect(resend.requestCount).toBe(1);
  expect((await mailOf(mailId)).status).toBe("SENT");
});

test("two workers with one letter deliver it once", async () => {
  const mailId = await queue();

  await Promise.all([deliverMail(mailId, { isLastAttempt: false }), deliverMail(mailId, { isLastAttempt: false })]);

  expect(resend.delivered).toHaveLength(1);
});

test("a worker that fails late leaves a letter as another one sent it", async () => {
  const mailId = await queue();
  resend.mood = "accepting-then-silent";
  const late = deliverMail(mailId, { isLastAttempt: true });
  await vi.waitFor(() => expect(resend.requestCount).toBe(1), { timeout: 10_000 });
  resend.mood = "well";
  await deliverMail(mailId, { isLastAttempt: false });

  resend.cut();
  await late;

  expect(await mailOf(mailId)).toMatchObject({ status: "SENT", lastError: null });
});

test("a letter whose account is gone is not sent", async () => {
  const { userId } = await aMember();
  const mailId = await queue({ userId });
  await db.user.delete({ where: { userId } });

  await deliverMail(mailId, { isLastAttempt: false });

  expect(resend.requestCount).toBe(0);
});

test.each(["ada@example.org, eve@example.com", "ada@example.org\r\nBcc: eve@example.com", "Ada <ada@example.org>", ["ada@example.org", "eve@example.com"]])(
  "an email has one recipient, and %j is not one",
  async (to) => {
    await expect(queue({ to: to as string })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await db.mail.count()).toBe(0);
  },
);

test("a queued letter without a job gets a new one", async () => {
  const [stranded, young] = [await queue(), await queue()];
  const waiting = await queue();
  await db.$executeRaw`DELETE FROM pgboss.job WHERE singleton_key <> ${waiting}`;
  await db.mail.updateMany({ where: { mailId: { in: [stranded, waiting] } }, data: { createdAt: new Date(Date.now() - DAY_MS) } });

  expect(await requeueStrandedMails()).toBe(1);

  const keys = await db.$queryRaw<{ key: string }[]>`SELECT singleton_key AS key FROM pgboss.job`;
  expect(keys.map(({ key }) => key).toSorted()).toEqual([stranded, waiting].toSorted());
  expect(keys).not.toContainEqual({ key: young });
});

test("old letters are deleted once they are sent or given up, never while they wait", async () => {
  const ids = { sent: await queue(), failed: await queue(), waiting: await queue(), recent: await queue() };
  await db.mail.updateMany({ where: { mailId: { not: ids.recent } }, data: { createdAt: new Date(Date.now() - 91 * DAY_MS) } });
  await db.mail.updateMany({ where: { mailId: { in: [ids.sent, ids.recent] } }, data: { status: "SENT" } });
  await db.mail.update({ where: { mailId: ids.failed }, data: { status: "FAILED" } });

  expect(await purgeOldMails()).toBe(2);

  const left = await db.mail.findMany({ select: { mailId: true } });
  expect(left.map(({ mailId }) => mailId).toSorted()).toEqual([ids.waiting, ids.recent].toSorted());
});

test("the owner leafs through all letters, newest first, each once", async () => {
  const ids: string[] = [];
  for (let index = 0; index < 45; index++) ids.push(await queue({ to: `person-${index}@example.org` }));

  const first = await listMails(OWNER);
  const second = await listMails(OWNER, { after: first.next });
  const third = await listMails(OWNER, { after: second.next });

  expect([first, second, third].map(({ mails }) => mails.length)).toEqual([20, 20, 5]);
  expect([...first.mails, ...second.mails, ...third.mails].map(({ mailId }) => mailId)).toEqual(ids.toReversed());
  expect(third.next).toBeNull();
  expect(first.mails[0]).toMatchObject({
    to: "person-44@example.org",
    letter: "confirm-address",
    status: "QUEUED",
    attempts: 0,
    lastError: null,
    sentAt: null,
  });
});

test("the owner is told how many letters wait, were sent, stay here, or were given up, and no list says what is in them", async () => {
  expect(await countMails(OWNER)).toEqual({ QUEUED: 0, SENT: 0, KEPT: 0, FAILED: 0 });

  await queue();
  for (const status of ["FAILED", "FAILED", "SENT"] as const) await db.mail.update({ where: { mailId: await queue() }, data: { status } });
  const sent = await queue();
  await db.mail.update({ where: { mailId: sent }, data: { status: "SENT", props: {} } });

  expect(await countMails(OWNER)).toEqual({ QUEUED: 1, SENT: 1, KEPT: 1, FAILED: 2 });
  expect((await listMails(OWNER, { status: "SENT" })).mails).toMatchObject([{ mailId: sent, status: "SENT" }]);
  expect((await listMails(OWNER, { status: "KEPT" })).mails).toMatchObject([{ status: "KEPT" }]);
  expect((await listMails(OWNER)).mails.map(({ status }) => status)).toEqual(["SENT", "KEPT", "FAILED", "FAILED", "QUEUED"]);
  expect(JSON.stringify(await listMails(OWNER))).not.toContain("tok_3n");
});

test("letters are found and counted by a part of the address that they go to", async () => {
  const ids = [await queue({ to: "ada@example.org" }), await queue({ to: "grace_h@example.org" }), await queue({ to: "gracexh@example.com" })];
  const found = async (q: string) => (await listMails(OWNER, { q })).mails.map(({ mailId }) => ids.indexOf(mailId));

  expect(await found("EXAMPLE.org ")).toEqual([1, 0]);
  expect(await found("grace_h")).toEqual([1]);
  expect(await found("%")).toEqual([]);
  expect(await found("@EXAMPLE.com")).toEqual([2]);
  expect(await found("race_h@EXAMPLE")).toEqual([1]);
  expect(await found("ada\0")).toEqual([0]);
  expect(await countMails(OWNER, { q: "grace" })).toEqual({ QUEUED: 2, SENT: 0, KEPT: 0, FAILED: 0 });
  expect((await listMails(OWNER, { q: "x".repeat(1000) })).mails).toEqual([]);
});

test("a whole address finds one person's letters, where others' begin or end with it, too", async () => {
  const ids = [
    await queue({ to: "a_a@example.co" }),
    await queue({ to: "a_a@example.com" }),
    await queue({ to: "aa_a@example.co" }),
    await queue({ to: "axa@example.co" }),
  ];
  const found = async (q: string) => (await listMails(OWNER, { q })).mails.map(({ mailId }) => ids.indexOf(mailId));

  expect(await found("A_a@example.co")).toEqual([0]);
  expect(await countMails(OWNER, { q: "a_a@example.co" })).toEqual({ QUEUED: 1, SENT: 0, KEPT: 0, FAILED: 0 });
  expect(await found("a_a@example.c")).toEqual([2, 1, 0]);
});

test("a letter that a real server took shows its facts only; one that waits can be read", async () => {
  const mailId = await queue();
  expect((await getMail(OWNER, mailId)).rendered?.text).toContain("tok_3n");

  await deliverMail(mailId, { isLastAttempt: false });

  const mail = await getMail(OWNER, mailId);
  expect(mail).toMatchObject({ to: "ada@example.org", status: "SENT", rendered: null });
  expect(JSON.stringify(mail)).not.toContain("tok_3n");
});

test("letters are the owner's alone", async () => {
  const mailId = await queue();
  const doors = [
    (viewer: Viewer) => listMails(viewer),
    (viewer: Viewer) => countMails(viewer),
    (viewer: Viewer) => getMail(viewer, mailId),
    (viewer: Viewer) => retryMail(viewer, mailId),
  ];

  for (const door of doors) {
    await expect(door(null)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    await expect(door(MEMBER)).rejects.toMatchObject({ code: "FORBIDDEN" });
  }
});

test.each(["0190a8a0-0000-7000-8000-000000000000", "nonsense"])("there is no email %s", async (mailId) => {
  await expect(getMail(OWNER, mailId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(retryMail(OWNER, mailId)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a page that begins nowhere is refused", async () => {
  await expect(listMails(OWNER, { after: "nonsense" })).rejects.toThrow("must be the id of an email");
});
