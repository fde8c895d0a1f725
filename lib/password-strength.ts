/** From what the server refuses to what is good on its own. */
export const STRENGTHS = ["short", "weak", "fair", "strong"] as const;
export type Strength = (typeof STRENGTHS)[number];

/** The shortest password that is taken. */
export const MIN_PASSWORD_LENGTH = 8;
/** The longest. */
export const MAX_PASSWORD_LENGTH = 256;
/** NIST SP 800-63B-4, 3.1.1.2: 15 characters where a password is all that is asked for. */
const GOOD_LENGTH = 15;
/** What is shorter is easy to guess, whatever it is. */
export const FAIR_LENGTH = 11;
/** Fewer different characters are a pattern, however long it is. */
const MIN_DIFFERENT = 6;

/**
 * How hard a password is to guess by trying, as far as its length, its variety and `commonMarks` tell: the marks of common ones, with spaces between.
 * Only a word beside the field: what is refused the server decides.
 */
export function passwordStrength(password: string, commonMarks: string): Strength {
  const characters = [...password];
  if (characters.length < MIN_PASSWORD_LENGTH) return "short";
  if (characters.length < FAIR_LENGTH || new Set(characters).size < MIN_DIFFERENT) return "weak";
  if (commonMarks.split(" ").includes(passwordMark(password))) return "weak";
  return characters.length < GOOD_LENGTH ? "fair" : "strong";
}

/** What stands for a common password where the list itself would be too much: 32 bits (FNV-1a), which hide nothing, and which few others share. */
export function passwordMark(password: string): string {
  let mark = 0x811c9dc5;
  for (const character of inAnyCase(password)) mark = Math.imul(mark ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (mark >>> 0).toString(36);
}

/** As passwords stand in the list of common ones. */
export function inAnyCase(password: string): string {
  return password.normalize("NFC").toLowerCase();
}
