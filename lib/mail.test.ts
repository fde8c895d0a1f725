import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type ResendMood, startResendServer, type TestResendServer } from "#lib/testing/resend";
import { type SmtpServerBehavior, startSmtpServer, type TestSmtpServer } from "#lib/testing/smtp";
import { MailError } from "./mail/mail-error.ts";
import type { Message } from "./mail.ts";

const SITE = { title: "Nimbus Idéen 💡", url: "https://feedback.example.com" };
const MESSAGE: Message = {
  id: "0190a8a0-0000-7000-8000-000000000001",
  to: "ada@example.org",
  subject: "Bestätige deine Adresse ✓",
  html: "<p>Grüße &amp; <a href='https://feedback.example.com/confirm'>Link</a></p>",
  text: "Grüße & Link: https://feedback.example.com/confirm",
  writtenAt: new Date("2026-02-03T04:05:06Z"),
};
const LOGIN = { user: "heard@example.com", pass: "p:a/s@s wörd" };

const closers: (() => Promise<void>)[] = [];

beforeEach(() => {
  for (const name of ["MAIL", "SMTP_URL", "RESEND_API_KEY", "RESEND_BASE_URL", "MAIL_FROM", "DATABASE_URL"]) vi.stubEnv(name, "");
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) await close();
});

/** `lib/mail.ts` as a process with these settings has it: settings are read once. */
async function mailWith(settings: Record<string, string>) {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  vi.resetModules();
  return import("./mail.ts");
}

async function smtp(behavior: SmtpServerBehavior = {}): Promise<TestSmtpServer> {
  const server = await startSmtpServer(behavior);
  closers.push(() => server.close());
  return server;
}

async function resend(): Promise<TestResendServer> {
  const server = await startResendServer();
  closers.push(() => server.close());
  return server;
}

describe("over SMTP", () => {
  const ways: { name: string; behavior: SmtpServerBehavior; isEncrypted: boolean }[] = [
    { name: "plain, without a login", behavior: {}, isEncrypted: false },
    { name: "plain, with a login", behavior: { login: LOGIN }, isEncrypted: false },
    { name: "STARTTLS, without a login", behavior: { tls: "starttls" }, isEncrypted: true },
    { name: "STARTTLS, with a login", behavior: { tls: "starttls", login: LOGIN }, isEncrypted: true },
    { name: "implicit TLS, without a login", behavior: { tls: "implicit" }, isEncrypted: true },
    { name: "implicit TLS, with a login", behavior: { tls: "implicit", login: LOGIN }, isEncrypted: true },
  ];

  test.each(ways)("a letter arrives: $name", async ({ behavior, isEncrypted }) => {
    const server = await smtp(behavior);
    const { sendMail } = await mailWith({ SMTP_URL: server.url });

    await sendMail(MESSAGE, SITE);

    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({
      isEncrypted,
      user: behavior.login?.user ?? null,
      from: "noreply@feedback.example.com",
      to: ["ada@example.org"],
    });
  });

  test("subject, both bodies, sender, recipient, date and id arrive whole", async () => {
    const server = await smtp();
    const { sendMail } = await mailWith({ SMTP_URL: server.url });

    await sendMail(MESSAGE, SITE);

    const mail = server.received[0]?.mail;
    expect(mail).toMatchObject({
      subject: MESSAGE.subject,
      from: { name: SITE.title, address: "noreply@feedback.example.com" },
      to: [{ name: "", address: "ada@example.org" }],
      messageId: `<${MESSAGE.id}@feedback.example.com>`,
      date: "2026-02-03T04:05:06.000Z",
    });
    expect(mail?.html?.trim()).toBe(MESSAGE.html);
    expect(mail?.text?.trim()).toBe(MESSAGE.text);
    expect(mail?.headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-generated");
  });

  test("a second attempt carries the same Message-ID", async () => {
    const server = await smtp();
    const { sendMail } = await mailWith({ SMTP_URL: server.url });
    server.mood = "hanging-up";
    await expect(sendMail(MESSAGE, SITE)).rejects.toMatchObject({ code: "MAIL_FAILED", isPermanent: false });
    server.mood = "well";

    await sendMail(MESSAGE, SITE);

    expect(new Set(server.received.map(({ mail }) => mail.messageId)).size).toBe(1);
    expect(server.received).toHaveLength(2);
  });

  test("MAIL_FROM decides the sender, and its name if it has one", async () => {
    const server = await smtp();

    await (await mailWith({ SMTP_URL: server.url, MAIL_FROM: "The Team <team@example.net>" })).sendMail(MESSAGE, SITE);
    await (await mailWith({ SMTP_URL: server.url, MAIL_FROM: "team@example.net" })).sendMail(MESSAGE, SITE);

    expect(server.received.map(({ mail }) => mail.from)).toEqual([
      { name: "The Team", address: "team@example.net" },
      { name: SITE.title, address: "team@example.net" },
    ]);
  });

  test.each(["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"])("the sender of a site at %s is a well-formed address", async (url) => {
    const server = await smtp();
    const { sendMail } = await mailWith({ SMTP_URL: server.url });

    await sendMail(MESSAGE, { ...SITE, url });

    expect(server.received[0]?.from).toBe("noreply@localhost.localdomain");
  });

  test("a refused recipient is told in the server's words, and is for good", async () => {
    const server = await smtp();
    server.refuseRecipientsWith = "550 5.1.1 No such user here";
    const { sendMail } = await mailWith({ SMTP_URL: server.url });

    await expect(sendMail(MESSAGE, SITE)).rejects.toMatchObject({ message: "550 5.1.1 No such user here", isPermanent: true });
  });

  test("a refused sender is a setting to mend, and not for good", async () => {
    const server = await smtp();
    server.refuseSendersWith = "553 5.7.1 Sender address rejected";
    const { sendMail } = await mailWith({ SMTP_URL: server.url });

    await expect(sendMail(MESSAGE, SITE)).rejects.toMatchObject({ message: "553 5.7.1 Sender address rejected", isPermanent: false });
  });

  test("a full mailbox today is not for good", async () => {
    const server = await smtp();
    server.refuseRecipientsWith = "452 4.2.2 Mailbox full";
    const { sendMail } = await mailWith({ SMTP_URL: server.url });

    await expect(sendMail(MESSAGE, SITE)).rejects.toMatchObject({ message: "452 4.2.2 Mailbox full", isPermanent: false });
  });

  test("a failure never tells the password, however the server echoes it", async () => {
    const server = await smtp({ login: LOGIN });
    const { sendMail } = await mailWith({ SMTP_URL: server.url.replace("w%C3%B6rd", "wrong") });

    const failure = await sendMail(MESSAGE, SITE).catch((error: Error) => error);

    expect(String(failure)).toContain("Invalid login for heard@example.com with ***");
    expect(String(failure)).not.toContain("p:a/s@s");
  });

  test("words and a password beyond ASCII are read as they were meant, and the password is not told", async () => {
    const server = await smtp({ login: LOGIN });
    const { sendMail } = await mailWith({ SMTP_URL: server.url.replace("w%C3%B6rd", "w%C3%B6rd%D0%BF") });

    const failure = await sendMail(MESSAGE, SITE).catch((error: Error) => error);

    expect(String(failure)).toMatch(/Invalid login for heard@example\.com with \*\*\*$/);
  });

  test("in words that are no UTF-8 a password beyond ASCII is not told either", () => {
    const echoed = `535 ung\xfcltig ${Buffer.from("wörd").toString("latin1")}`;

    expect(new MailError(echoed, { secrets: ["wörd"] }).message).toBe("535 ungültig ***");
  });

  test.each(["wörd", "w%C3%B6rd", "w%c3%b6rd", Buffer.from("wörd").toString("base64")])("a password that is echoed as %s is not told", (echo) => {
    expect(new MailError(`535 no: ${echo}`, { secrets: ["wörd"] }).message).toBe("535 no: ***");
  });

  test("a server that is not there is not for good", async () => {
    const server = await startSmtpServer();
    await server.close();
    const { sendMail } = await mailWith({ SMTP_URL: server.url });

    await expect(sendMail(MESSAGE, SITE)).rejects.toMatchObject({ message: expect.stringContaining("ECONNREFUSED"), isPermanent: false });
  });
});

describe("over Resend", () => {
  test("a letter arrives with its idempotency key and the API key", async () => {
    const server = await resend();
    const { sendMail } = await mailWith({ RESEND_API_KEY: "re_secret", RESEND_BASE_URL: `${server.url}/` });

    await sendMail(MESSAGE, SITE);

    expect(server.authorization).toBe("Bearer re_secret");
    expect(server.delivered).toMatchObject([
      {
        idempotencyKey: MESSAGE.id,
        from: `"${SITE.title}" <noreply@feedback.example.com>`,
        to: ["ada@example.org"],
        subject: MESSAGE.subject,
        html: MESSAGE.html,
        text: MESSAGE.text,
      },
    ]);
  });

  test("the same letter sent again is delivered once, even if the site was renamed in between", async () => {
    const server = await resend();
    const { sendMail } = await mailWith({ RESEND_API_KEY: "re_secret", RESEND_BASE_URL: server.url });

    await sendMail(MESSAGE, SITE);
    await sendMail(MESSAGE, SITE);
    await sendMail(MESSAGE, { ...SITE, title: "Renamed" });

    expect(server.requestCount).toBe(3);
    expect(server.delivered).toHaveLength(1);
  });

  const failures: { mood: ResendMood; words: string }[] = [
    { mood: "rate-limited", words: "429 Too many requests" },
    { mood: "failing", words: "500 An unexpected error occurred" },
  ];

  test.each(failures)("when it is $mood, its words are told and the letter can be tried again", async ({ mood, words }) => {
    const server = await resend();
    server.mood = mood;
    const { sendMail } = await mailWith({ RESEND_API_KEY: "re_secret", RESEND_BASE_URL: server.url });

    await expect(sendMail(MESSAGE, SITE)).rejects.toMatchObject({ message: words, isPermanent: false });
    server.mood = "well";
    await sendMail(MESSAGE, SITE);

    expect(server.delivered).toHaveLength(1);
  });
});

describe("without a mail server", () => {
  test("the outbox takes every letter", async () => {
    const { sendMail, assertMailConfigured } = await mailWith({ MAIL: "outbox" });

    assertMailConfigured();
    await expect(sendMail(MESSAGE, SITE)).resolves.toBeUndefined();
  });

  test("no transport at all is MAIL_CONFIG_MISSING", async () => {
    const { sendMail, assertMailConfigured } = await mailWith({ MAIL: "none" });

    expect(assertMailConfigured).toThrow(expect.objectContaining({ code: "MAIL_CONFIG_MISSING", status: 501, message: "Mail configuration missing" }));
    await expect(sendMail(MESSAGE, SITE)).rejects.toMatchObject({ code: "MAIL_CONFIG_MISSING" });
  });
});

describe("what could smuggle in a header or a second recipient is refused before anything is sent", () => {
  const attacks: { name: string; message: Partial<Record<keyof Message, unknown>>; title?: string }[] = [
    { name: "a line break in the subject", message: { subject: "Hello\r\nBcc: eve@example.com" } },
    { name: "a bare LF in the subject", message: { subject: "Hello\nBcc: eve@example.com" } },
    { name: "a line break in the recipient", message: { to: "ada@example.org\r\nBcc: eve@example.com" } },
    { name: "a line break in the id", message: { id: "1\r\nBcc: eve@example.com" } },
    { name: "a line break in the site's title", message: {}, title: "Ideas\r\nBcc: eve@example.com" },
    { name: "two recipients", message: { to: "ada@example.org,eve@example.com" } },
    { name: "a list of recipients", message: { to: ["ada@example.org", "eve@example.com"] } },
    { name: "a recipient with a name", message: { to: "Ada <ada@example.org>" } },
    { name: "a group of recipients", message: { to: "all: ada@example.org, eve@example.com;" } },
    { name: "nobody", message: { to: "" } },
  ];

  test.each(attacks)("$name", async ({ message, title }) => {
    const server = await smtp();
    const { sendMail } = await mailWith({ SMTP_URL: server.url });

    await expect(sendMail({ ...MESSAGE, ...message } as Message, { ...SITE, title: title ?? SITE.title })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(server.received).toHaveLength(0);
  });
});
