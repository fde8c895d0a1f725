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

// Servers echo what they were sent, so a secret is looked for as it is, as Latin-1 shows it, as SMTP's AUTH sends it, and as a URL holds it.
function redacted(words: string, secrets: string[]): string {
  const forms = secrets.filter(Boolean).flatMap((secret) => {
    const [bytes, encoded] = [Buffer.from(secret), encodeURIComponent(secret)];
    return [secret, bytes.toString("latin1"), bytes.toString("base64"), encoded, encoded.replace(/%../g, (code) => code.toLowerCase())];
  });
  return forms.reduce((text, form) => text.replaceAll(form, "***"), words);
}
