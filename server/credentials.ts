import { domainToASCII } from "node:url";
import { z } from "zod";
import type { ErrorCode } from "#lib/errors";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "#lib/password-strength";
import { codePointLength, normalized } from "#lib/text";

// RFC 5321 §4.5.3.1: a path has at most 256 octets, brackets included, and a local part at most 64.
export const MAX_EMAIL_LENGTH = 254;
const MAX_LOCAL_PART_LENGTH = 64;
// RFC 5322 atext, in atoms joined by single dots. Quoted local parts exist on paper only.
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
// What `domainToASCII` would drop or read as the rest of a URL (line breaks, %, /, ?, #) is no part of a domain.
const DOMAIN_AS_TYPED = /^[\p{Join_Control}\p{L}\p{M}\p{N}.\u00b7\u30fb\u3002\uff0e-]+$/u;
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/** An email address as it is stored: trimmed, lower case, its domain as punycode. Anything else is EMAIL_INVALID. */
export const emailAddress = z
  .unknown()
  .transform((value, context) => {
    const address = typeof value === "string" ? normalizeEmail(value) : "";
    if (isEmail(address)) return address;
    context.addIssue({ code: "custom", message: "Give an email address such as name@example.com.", params: { code: "EMAIL_INVALID" } });
    return z.NEVER;
  })
  .meta({ type: "string", format: "email", maxLength: MAX_EMAIL_LENGTH });

/** A password as it was typed. Every character counts, so nothing is trimmed. */
export const newPassword = z
  .unknown()
  .transform((value, context) => {
    const problem = passwordProblem(value);
    if (!problem) return value as string;
    context.addIssue({ code: "custom", message: problem.message, params: { code: problem.code } });
    return z.NEVER;
  })
  .meta({ type: "string", format: "password", minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH });

/** The one form in which an address is compared and stored; empty where it has none. */
export function normalizeEmail(value: string): string {
  const address = value.trim();
  const at = address.lastIndexOf("@");
  const [localPart, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  // Before the lower case, which turns the Kelvin sign into a k.
  const isReadable = /^[\x21-\x7e]+$/.test(localPart) && DOMAIN_AS_TYPED.test(domain);
  return isReadable ? `${localPart.toLowerCase()}@${domainToASCII(domain)}` : "";
}

/** Whether that is an address as `normalizeEmail` writes it. */
export function isEmail(address: string): boolean {
  const at = address.lastIndexOf("@");
  const localPart = address.slice(0, Math.max(at, 0));
  return address.length <= MAX_EMAIL_LENGTH && localPart.length <= MAX_LOCAL_PART_LENGTH && LOCAL_PART.test(localPart) && DOMAIN.test(address.slice(at + 1));
}

function passwordProblem(value: unknown): { code: ErrorCode; message: string } | null {
  if (typeof value !== "string" || value === "") return { code: "PASSWORD_MISSING", message: "Give a password." };
  if (!value.isWellFormed()) return { code: "VALIDATION_ERROR", message: "password holds half of a character; send it whole." };
  const length = codePointLength(normalized(value, MAX_PASSWORD_LENGTH));
  if (length < MIN_PASSWORD_LENGTH) return { code: "PASSWORD_TOO_SHORT", message: `The password must have at least ${MIN_PASSWORD_LENGTH} characters.` };
  if (length > MAX_PASSWORD_LENGTH) return { code: "PASSWORD_TOO_LONG", message: `The password may have at most ${MAX_PASSWORD_LENGTH} characters.` };
  return null;
}
