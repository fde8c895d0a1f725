import { isIP } from "node:net";
import { env } from "./env.ts";
import { AppError } from "./errors.ts";

/** An email as it was written, to exactly one recipient. */
export type Message = {
  /** The same on every attempt: Resend's idempotency key, and the local part of the Message-ID. */
  id: string;
  /** One bare address. */
  to: string;
  subject: string;
  html: string;
  text: string;
  /** The email's Date, which a delayed attempt does not change. */
  writtenAt: Date;
};

/** The site that a letter speaks for, and its color (six hex digits). */
export type MailSite = { title: string; url: string; accentColor?: string };

/** A message with its sender, as a transport takes it. */
export type Letter = Message & { from: { name: string; address: string }; messageId: string };

const LINE_BREAK_OR_CONTROL = /\p{Cc}/u;
const ONE_ADDRESS = /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/;
// RFC 5322 §2.1.1: a line has at most 998 characters. A subject is far shorter, a title too.
const MAX_HEADER_LENGTH = 900;

/**
 * Goes on only if this installation can send mail.
 * @throws AppError MAIL_CONFIG_MISSING
 */
export function assertMailConfigured(): void {
  if (env().MAIL === "none") throw new AppError("MAIL_CONFIG_MISSING", "Mail configuration missing");
}

/** Whether letters stay in the outbox, for who may read it, and reach nobody. */
export function lettersStayHere(): boolean {
  return env().MAIL === "outbox";
}

/** Whether letters are handed to a mail server. */
export function lettersGoOut(): boolean {
  return ["smtp", "resend"].includes(env().MAIL);
}

/**
 * Goes on only for one bare address: no list, no display name, no line break.
 * @throws AppError VALIDATION_ERROR
 */
export function assertOneAddress(value: unknown): asserts value is string {
  if (typeof value !== "string" || LINE_BREAK_OR_CONTROL.test(value) || !ONE_ADDRESS.test(value))
    throw new AppError("VALIDATION_ERROR", "An email has exactly one recipient.", { field: "to" });
}

/**
 * Hands a letter to the configured transport. With the outbox the stored row is the letter, so there is nothing left to do.
 * Trying again with the same `id` is safe: Resend delivers it once, SMTP sends it under one Message-ID.
 * @throws AppError MAIL_CONFIG_MISSING without a transport, VALIDATION_ERROR for a header with a line break or more than one recipient
 * @throws MailError in the mail server's own words
 */
export async function sendMail(message: Message, site: MailSite): Promise<void> {
  assertMailConfigured();
  assertOneAddress(message.to);
  const { MAIL, SMTP_URL = "", RESEND_API_KEY = "", RESEND_BASE_URL } = env();
  const letter = { ...message, from: sender(site), messageId: `<${message.id}@${mailHost(site.url)}>` };
  for (const value of [letter.id, letter.subject, letter.from.name, letter.from.address]) assertHeader(value);
  // Loaded when first needed: most processes never send a letter.
  if (MAIL === "smtp") await (await import("./mail/smtp.ts")).sendBySmtp(letter, SMTP_URL);
  if (MAIL === "resend") await (await import("./mail/resend.ts")).sendByResend(letter, { apiKey: RESEND_API_KEY, baseUrl: RESEND_BASE_URL });
}

/** Who letters come from: `MAIL_FROM`, else `noreply@` the site's host. Without a name of its own the sender is called as the site. */
export function sender(site: MailSite): Letter["from"] {
  const configured = env().MAIL_FROM;
  const [, name = "", address] = /^([^<]*)<([^<>]+)>$/.exec(configured ?? "") ?? [];
  return {
    name: name.trim().replace(/^"(.*)"$/, "$1") || site.title,
    address: address ?? configured ?? `noreply@${mailHost(site.url)}`,
  };
}

// "localhost" and an IP address are no mail domain: this one is at least well-formed, and leads nowhere.
function mailHost(siteUrl: string): string {
  const { hostname } = new URL(siteUrl);
  return hostname.includes(".") && isIP(hostname) === 0 ? hostname : "localhost.localdomain";
}

function assertHeader(value: string): void {
  if (LINE_BREAK_OR_CONTROL.test(value) || value.length > MAX_HEADER_LENGTH)
    throw new AppError("VALIDATION_ERROR", "A mail header must be a single line without control characters.");
}
