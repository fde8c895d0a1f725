/** From what the server refuses to what is good on its own. */
export const STRENGTHS = ["short", "weak", "fair", "strong"] as const;
export type Strength = (typeof STRENGTHS)[number];

/** The shortest password that is taken. */
export const MIN_PASSWORD_LENGTH = 8;
/** NIST SP 800-63B-4, 3.1.1.2: 15 characters where a password is all that is asked for. */
const GOOD_LENGTH = 15;
const FAIR_LENGTH = 11;
/** Fewer different characters are a pattern, however long it is. */
const MIN_DIFFERENT = 6;

/** How hard a password is to guess by trying, as far as its length and variety tell. Only a word beside the field: what is refused the server decides. */
export function passwordStrength(password: string): Strength {
  const characters = [...password];
  if (characters.length < MIN_PASSWORD_LENGTH) return "short";
  if (characters.length < FAIR_LENGTH || new Set(characters).size < MIN_DIFFERENT) return "weak";
  return characters.length < GOOD_LENGTH ? "fair" : "strong";
}
