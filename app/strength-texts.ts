import { STRENGTHS, type Strength } from "#lib/password-strength";

/** What a field for a new password says of each strength; `t` has the texts of `fields`. */
export function strengthTexts(t: (key: `strength.${Strength}`) => string): Record<Strength, string> {
  return Object.fromEntries(STRENGTHS.map((strength) => [strength, t(`strength.${strength}`)])) as Record<Strength, string>;
}
