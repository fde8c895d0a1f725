import { beforeEach, expect, onTestFinished, test } from "vitest";
import { db } from "#lib/db";
import { env } from "#lib/env";
import { useDatabase } from "#lib/testing/database";
import { listAttention } from "./attention.ts";
import { aMember, anOwner, aSite, type Person } from "./testing/people.ts";

useDatabase();

let owner: Person;

beforeEach(async () => {
  await aSite({ allowSignup: false });
  owner = await anOwner({ verifiedAt: new Date() });
});

async function aLetter(status: "QUEUED" | "SENT" | "FAILED", minutesAgo = 0): Promise<void> {
  const createdAt = new Date(Date.now() - minutesAgo * 60_000);
  await db.mail.create({ data: { to: "ada@example.org", letter: "confirm-address", props: {}, status, createdAt } });
}

test("nothing waits on a site that is well", async () => {
  await aLetter("SENT", 60);
  await aLetter("QUEUED");

  expect(await listAttention(owner.viewer)).toEqual([]);
});

test("letters that failed or wait for long are counted", async () => {
  await aLetter("FAILED");
  await aLetter("FAILED", 60);
  await aLetter("QUEUED", 11);

  expect(await listAttention(owner.viewer)).toEqual([
    { matter: "failedLetters", count: 2 },
    { matter: "waitingLetters", count: 1 },
  ]);
});

test("a sign-up that is open but cannot work is told of", async () => {
  await db.siteSettings.updateMany({ data: { allowSignup: true } });
  const { MAIL } = env();
  onTestFinished(() => void (env().MAIL = MAIL));

  for (const mail of ["none", "outbox"] as const) {
    env().MAIL = mail;
    const matters = (await listAttention(owner.viewer)).map(({ matter }) => matter);

    expect(matters).toEqual(mail === "none" ? ["signupWithoutMail"] : []);
  }
});

test("it is told to nobody else", async () => {
  await expect(listAttention((await aMember()).viewer)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(listAttention(null)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});
