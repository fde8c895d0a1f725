import pino from "pino";
import { env } from "./env.ts";
import { StandardError } from "./log/standard-error.ts";

// Also as it stands in an address bar: name%40example.com.
// As long as an address may be (RFC 5321 §4.5.3.1): without bounds a line of many @ would take long to read.
const ADDRESS = /[^\s<>"'(),:;/\\[\]@]{1,64}(?:@|%40)[^\s<>"'(),:;/\\[\]@]{1,255}\.[^\s<>"'(),:;/\\[\]@]{1,63}/gi;

const standardError = new StandardError();

/** JSON lines on standard error; standard output belongs to the one screen that `npm start` prints. No line carries an email address. */
export const log = pino(
  {
    level: level(),
    base: null,
    messageKey: "msg",
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError, reason: onOneLine, error: onOneLine },
    hooks: { streamWrite: (line) => (/@|%40/.test(line) ? scrub(line) : line) },
  },
  standardError,
);

/** Resolves when what was logged is written, or nobody reads it: for a process that is about to end. */
export function logWritten(): Promise<void> {
  return standardError.written();
}

function level(): string {
  try {
    return env().LOG_LEVEL;
  } catch {
    return "info";
  }
}

/** `text` without what stands between quotation marks, from the first to the last, or between backticks: libraries quote what they could not read. */
export function withoutQuotations(text: string): string {
  return text.replace(/"[\s\S]*"|`[^`]*`/g, "…");
}

/** What a line says of an error. Libraries hang more on theirs, such as a query's parameters or a letter's recipients, and none of that is written. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { type: name, message, stack, ...(typeof code === "string" && { code }), ...(cause !== undefined && { cause: describeError(cause) }) };
}

/** Prisma begins what it says with an empty line, and spreads it over several. */
function onOneLine(words: unknown): unknown {
  return typeof words === "string" ? words.replace(/\s+/g, " ").trim() : words;
}

/** Mail servers name the recipient in what they say, people put addresses into the address bar, and neither belongs into a log. */
function scrub(line: string): string {
  const withoutAddresses = (_key: string, value: unknown) => (typeof value === "string" ? value.replace(ADDRESS, "<address>") : value);
  return `${JSON.stringify(JSON.parse(line), withoutAddresses)}\n`;
}
