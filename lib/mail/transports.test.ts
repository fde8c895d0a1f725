import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { afterEach, describe, expect, test } from "vitest";
import { LETTER } from "#lib/testing/letter";
import { startResendServer } from "#lib/testing/resend";
import { selfSignedCertificate, startSmtpServer } from "#lib/testing/smtp";
import { sendByResend } from "./resend.ts";
import { sendBySmtp } from "./smtp.ts";

const LOGIN = { user: "heard@example.com", pass: "p:a/s@s wörd" };

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

test("an SMTP server that never says a word is given up", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  closers.push(() => silent.close());
  const { port } = silent.address() as { port: number };

  const sending = sendBySmtp(LETTER, `smtp://127.0.0.1:${port}`, { timeoutMs: 300 });

  await expect(sending).rejects.toMatchObject({ code: "MAIL_FAILED", isPermanent: false });
});

test("a letter that Resend took without saying so is delivered once", async () => {
  const server = await startResendServer();
  closers.push(server.close);
  server.mood = "accepting-then-silent";
  const options = { apiKey: "re_secret", baseUrl: server.url, timeoutMs: 300 };

  await expect(sendByResend(LETTER, options)).rejects.toMatchObject({ message: "Resend gave no answer within 0.3 seconds.", isPermanent: false });
  server.mood = "well";
  await sendByResend(LETTER, options);

  expect(server.delivered).toHaveLength(1);
});

const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address && !address.internal && address.family === "IPv4")?.address;

// "Elsewhere" is this machine's own address on the network: real sockets, and not loopback.
describe.skipIf(!outside)("over SMTP to another machine", () => {
  const host = outside ?? "";

  test("a certificate that nobody vouches for is refused", async () => {
    const server = await startSmtpServer({ tls: "implicit", host });
    closers.push(server.close);

    await expect(sendBySmtp(LETTER, server.url)).rejects.toMatchObject({ message: expect.stringMatching(/self-signed certificate/i) });
    expect(server.received).toHaveLength(0);
  });

  test("a certificate of a known authority is accepted", async () => {
    const certificate = selfSignedCertificate([host]);
    const server = await startSmtpServer({ tls: "starttls", login: LOGIN, host }, certificate);
    closers.push(server.close);

    await sendBySmtp(LETTER, server.url, { tls: { ca: certificate.cert } });

    expect(server.received[0]).toMatchObject({ isEncrypted: true, user: LOGIN.user });
  });

  test("a password is not sent in the clear unless SMTP_URL says so", async () => {
    const server = await startSmtpServer({ login: LOGIN, host });
    closers.push(server.close);

    await expect(sendBySmtp(LETTER, server.url)).rejects.toMatchObject({ code: "MAIL_FAILED" });
    expect(server.received).toHaveLength(0);
    await sendBySmtp(LETTER, `${server.url}?requireTLS=false`);

    expect(server.received[0]).toMatchObject({ isEncrypted: false, user: LOGIN.user });
  });
});
