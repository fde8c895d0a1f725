import { expect, test, vi } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { listAttention } from "../attention.ts";
import { runChecks, runPublicChecks } from "../checks.ts";
import { anOwner, aSite, aVisit } from "../testing/people.ts";

vi.hoisted(() => Object.assign(process.env, { SMTP_URL: "smtp://127.0.0.1:1" }));

useDatabase();

const LETTER = { to: "ada@example.org", letter: "test", props: {} };

async function mailCheck() {
  return (await runChecks(aVisit())).find(({ check }) => check === "mail");
}

test("a mail server that takes no letters is not in order, and is quoted", async () => {
  await aSite();
  await db.mail.create({ data: { ...LETTER, status: "QUEUED" } });
  await db.mail.create({ data: { ...LETTER, status: "SENT", lastError: "it was away at first" } });
  expect(await mailCheck()).toMatchObject({ state: "ok", finding: "smtp" });

  await db.mail.create({ data: { ...LETTER, status: "QUEUED", attempts: 1, lastError: "connect ECONNREFUSED" } });
  await db.mail.create({ data: { ...LETTER, status: "QUEUED", attempts: 1, lastError: "450 come again later" } });

  expect(await mailCheck()).toMatchObject({ state: "warning", finding: "failing", facts: { letters: 2, error: "450 come again later" } });
});

test("mail is not in order either while letters that were given up need attention, and both count the same ones", async () => {
  await aSite({ allowSignup: false });
  const { viewer } = await anOwner({ verifiedAt: new Date() });
  await db.mail.create({ data: { ...LETTER, status: "FAILED", attempts: 9, lastError: "connect ECONNREFUSED" } });
  await db.mail.create({ data: { ...LETTER, status: "FAILED", attempts: 1, lastError: "550 no such user" } });

  expect(await mailCheck()).toMatchObject({ state: "warning", finding: "failed", facts: { letters: 2, error: "550 no such user" } });
  expect(await listAttention(viewer)).toEqual([{ matter: "failedLetters", count: 2 }]);

  await db.mail.updateMany({ data: { status: "SENT" } });

  expect(await mailCheck()).toMatchObject({ state: "ok", finding: "smtp" });
  expect(await listAttention(viewer)).toEqual([]);
});

test.for(["QUEUED", "FAILED"] as const)("before there is an owner nobody is told what the mail server says of a letter that is %s", async (status) => {
  await db.mail.create({ data: { ...LETTER, status, attempts: 1, lastError: "450 <ada@example.org>: greylisted" } });

  expect(JSON.stringify(await runChecks(aVisit()))).toContain("ada@example.org");
  expect(JSON.stringify(await runPublicChecks(aVisit()))).not.toContain("ada@example.org");
});
