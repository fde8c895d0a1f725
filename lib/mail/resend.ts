import { Resend } from "resend";
import type { Letter } from "../mail.ts";
import { MailError } from "./mail-error.ts";

type ResendOptions = { apiKey: string; baseUrl?: string; timeoutMs?: number };

/**
 * Hands a letter to Resend, which delivers it once however often the same `id` is sent within a day.
 * @throws MailError; never permanent, because what Resend refuses (key, domain, quota, rate) is ours to mend
 */
export async function sendByResend(letter: Letter, { apiKey, baseUrl, timeoutMs = 10_000 }: ResendOptions): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  const resend = new Resend(apiKey, { baseUrl: baseUrl?.replace(/\/+$/, "") });
  const { error } = await resend.emails.send(
    {
      from: `${quoted(letter.from.name)} <${letter.from.address}>`,
      to: [letter.to],
      subject: letter.subject,
      html: letter.html,
      text: letter.text,
      headers: { "Auto-Submitted": "auto-generated" },
    },
    { idempotencyKey: letter.id, signal },
  );
  // This key came with other content before: Resend has that letter already (`MAIL_FROM`, the template or the link changed between two attempts).
  if (!error || error.name === "invalid_idempotent_request") return;
  const words = signal.aborted ? `Resend gave no answer within ${timeoutMs / 1000} seconds.` : [error.statusCode, error.message].filter(Boolean).join(" ");
  throw new MailError(words, { secrets: [apiKey] });
}

// RFC 5322 quoted-string: a quote or backslash inside would need escaping, and no name needs either.
function quoted(name: string): string {
  return `"${name.replace(/["\\]/g, "")}"`;
}
