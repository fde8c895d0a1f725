import type { ConnectionOptions } from "node:tls";
import { createTransport } from "nodemailer";
import { isLoopback } from "../loopback.ts";
import type { Letter } from "../mail.ts";
import { MailError } from "./mail-error.ts";

type SmtpOptions = {
  tls?: ConnectionOptions;
  /** How long to wait for the address, the connection, the greeting, and each further reply. */
  timeoutMs?: number;
};

/**
 * Hands a letter to the server at `url` over a connection of its own.
 * @throws MailError; permanent when the server refuses the recipient for good, with 550 or above (RFC 5321 §4.2.3)
 */
export async function sendBySmtp(letter: Letter, url: string, options: SmtpOptions = {}): Promise<void> {
  const { user, pass } = login(new URL(url));
  try {
    await createSmtpTransport(url, options).sendMail({
      from: letter.from,
      to: { name: "", address: letter.to },
      envelope: { from: letter.from.address, to: [letter.to] },
      subject: letter.subject,
      html: letter.html,
      text: letter.text,
      messageId: letter.messageId,
      date: letter.writtenAt,
      // RFC 3834: keeps out-of-office replies away.
      headers: { "Auto-Submitted": "auto-generated" },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  } catch (error) {
    const failure = error as { message: string; response?: string; responseCode?: number; code?: string; command?: string };
    // A sender that is refused is a setting to mend: the letter goes out once it is.
    const isPermanent = failure.code === "EENVELOPE" && failure.command === "RCPT TO" && (failure.responseCode ?? 0) >= 550;
    const authSecret = Buffer.from(`\0${user}\0${pass}`).toString("base64");
    throw new MailError(asUtf8(failure.response ?? failure.message), { isPermanent, secrets: [authSecret, pass] });
  }
}

/**
 * A transport for `smtps://` (TLS from the first byte) or `smtp://` (STARTTLS wherever the server offers it, and always before a password leaves this machine).
 * Without a port: 465 for smtps, 587 with a login, else 25. `?requireTLS=false` and `?tls.rejectUnauthorized=false` loosen it.
 */
function createSmtpTransport(url: string, { tls = {}, timeoutMs = 10_000 }: SmtpOptions = {}) {
  const address = new URL(url);
  const { user, pass } = login(address);
  const host = address.hostname.replace(/^\[(.*)\]$/, "$1");
  const isOwnMachine = isLoopback(host);
  const secure = address.protocol === "smtps:";
  const verify = address.searchParams.get("tls.rejectUnauthorized");
  return createTransport({
    host,
    port: Number(address.port) || (secure ? 465 : user ? 587 : 25),
    secure,
    requireTLS: !secure && user !== "" && !isOwnMachine && address.searchParams.get("requireTLS") !== "false",
    auth: user ? { user, pass } : undefined,
    // Between two programs on one machine stands nobody whom a certificate could unmask, and what listens there is mostly self-signed.
    tls: { rejectUnauthorized: verify === null ? !isOwnMachine : verify !== "false", ...tls },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  });
}

/** What a server says is UTF-8 (RFC 6531 §3.7.4) or, from an old one, Latin-1; nodemailer 7 reads it as the latter. */
function asUtf8(words: string): string {
  if (/[^\0-\xff]/.test(words)) return words;
  const text = Buffer.from(words, "latin1").toString("utf8");
  return text.includes("\ufffd") ? words : text;
}

function login(address: URL): { user: string; pass: string } {
  return { user: decodeURIComponent(address.username), pass: decodeURIComponent(address.password) };
}
