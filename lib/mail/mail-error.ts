import { oneLine } from "../text.ts";

const MAX_LENGTH = 500;

/** A mail server's refusal or silence, in its own words: one line, bounded, without our secrets. */
export class MailError extends Error {
  override name = "MailError";
  readonly code = "MAIL_FAILED";
  /** True when asking again cannot help: the server refused this recipient for good. */
  readonly isPermanent: boolean;

  constructor(words: string, { isPermanent = false, secrets = [] }: { isPermanent?: boolean; secrets?: string[] } = {}) {
    super(oneLine(redacted(words, secrets), MAX_LENGTH));
    this.isPermanent = isPermanent;
  }
}

// Servers echo what they were sent, so a secret is looked for as it is, as SMTP's AUTH sends it, and as a URL holds it.
function redacted(words: string, secrets: string[]): string {
  const forms = secrets.filter(Boolean).flatMap((secret) => [secret, Buffer.from(secret).toString("base64"), encodeURIComponent(secret)]);
  return forms.reduce((text, form) => text.replaceAll(form, "***"), words);
}
