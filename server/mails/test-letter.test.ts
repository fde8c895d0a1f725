import { createServer } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { startSmtpServer, type TestSmtpServer } from "#lib/testing/smtp";
import { describeMail } from "../settings/mail.ts";
import { aMember, anOwner, aSite, aVisit } from "../testing/people.ts";
import { sendTestLetter } from "./test-letter.ts";

const { port } = vi.hoisted(() => {
  const chosen = 20_000 + Math.floor(Math.random() * 10_000);
  Object.assign(process.env, { MAIL: "smtp", SMTP_URL: `smtp://heard:secret-word@127.0.0.1:${chosen}`, MAIL_FROM: "Ideas <ideas@example.com>" });
  return { port: chosen };
});

useDatabase();

let server: TestSmtpServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function startServer(): Promise<TestSmtpServer> {
  server = await startSmtpServer({ port, login: { user: "heard", pass: "secret-word" } });
  return server;
}

test("the letter goes to the owner's own address at once, and is stored nowhere", async () => {
  const { received } = await startServer();
  await aSite();
  const { viewer, email } = await anOwner();

  expect(await sendTestLetter(viewer, aVisit())).toEqual({ to: email, outcome: "sent" });

  expect(received).toMatchObject([{ from: "ideas@example.com", to: [email], mail: { subject: "Test email from Nimbus" } }]);
  expect(received[0]?.mail.text).toContain("https://feedback.example.com/dashboard/settings/mail");
  expect(await db.mail.count()).toBe(0);
});

test("it is written in the owner's language, as every other letter is", async () => {
  const { received } = await startServer();
  await aSite();
  const { viewer, userId } = await anOwner();
  await db.user.update({ where: { userId }, data: { locale: "de" } });

  await sendTestLetter(viewer, aVisit());

  expect(received).toMatchObject([{ mail: { subject: "Test-E-Mail von Nimbus" } }]);
});

test("a refusal comes back in the mail server's own words, without the password", async () => {
  (await startServer()).refuseRecipientsWith = "550 5.1.1 No such user here";
  await aSite();
  const { viewer } = await anOwner();

  const result = await sendTestLetter(viewer, aVisit());

  expect(result).toMatchObject({ outcome: "refused", words: expect.stringContaining("No such user here") });
  expect(JSON.stringify(result)).not.toContain("secret-word");
});

test("so does a server that is not there", async () => {
  await aSite();
  const { viewer } = await anOwner();

  expect(await sendTestLetter(viewer, aVisit())).toMatchObject({ outcome: "refused", words: expect.stringMatching(/ECONNREFUSED/) });
});

test("a server that says nothing is waited for no longer than asked", async () => {
  const silent = createServer().listen(port, "127.0.0.1");
  await aSite();
  const { viewer } = await anOwner();

  const result = await sendTestLetter(viewer, aVisit(), { withinMs: 200 });

  expect(result).toMatchObject({ outcome: "unanswered", afterMs: 200 });
  silent.close();
});

test("nobody but an owner sends it, or reads how mail is configured", async () => {
  await aSite();
  const { viewer } = await aMember();

  await expect(sendTestLetter(viewer, aVisit())).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(describeMail(viewer, aVisit())).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("an owner reads the mail server and the sender, and no password", async () => {
  await aSite();
  const { viewer, email } = await anOwner();

  expect(await describeMail(viewer, aVisit())).toEqual({
    kind: "smtp",
    server: `smtp://127.0.0.1:${port}`,
    sender: { name: "Ideas", address: "ideas@example.com" },
    ownAddress: email,
    failures: { matters: [], checks: [] },
  });
});

test("letters that the mail server refuses are told of as on the dashboard", async () => {
  await aSite();
  const { viewer } = await anOwner();
  const letter = { to: "ada@example.com", letter: "test", props: {}, attempts: 1 };
  await db.mail.create({ data: { ...letter, status: "FAILED", lastError: "550 No such user" } });

  expect(await describeMail(viewer, aVisit())).toMatchObject({
    failures: { matters: [{ matter: "failedLetters", count: 1 }], checks: [{ finding: "failed" }] },
  });

  await db.mail.create({ data: { ...letter, status: "QUEUED", lastError: "451 Try again later" } });

  expect((await describeMail(viewer, aVisit())).failures.checks).toMatchObject([
    { check: "mail", finding: "failing", facts: { letters: 1, error: "451 Try again later" } },
  ]);
});
