/** Of how many letters a word has at least to be for a typing mistake to be forgiven: shorter ones are one mistake away from too many others. */
export const FEWEST_LETTERS = 4;

/** How near a title comes to what was typed, nearest first: it begins so, its words do, they hold it, they would but for a typing mistake in a word. */
export const CLOSENESS = ["begins", "words", "holds", "forgiven"] as const;
export type Closeness = (typeof CLOSENESS)[number];

/** How near the words of a title come to those that were typed, in whatever order; null where one of these is met by none of them. Both folded, as search compares them. */
export function closenessOf(typed: string[], words: string[]): Closeness | null {
  const all = (meets: (wanted: string, word: string) => boolean) => typed.every((wanted) => words.some((word) => meets(wanted, word)));
  if (words.join(" ").startsWith(typed.join(" "))) return "begins";
  if (all((wanted, word) => word.startsWith(wanted))) return "words";
  if (all((wanted, word) => word.includes(wanted))) return "holds";
  return all((wanted, word) => word.includes(wanted) || isMistyped([...wanted], [...word])) ? "forgiven" : null;
}

/** Whether one mistake in `typed` hides `word`, as far as it was typed, or a part of it, as behind an article in Arabic or in a German compound. */
function isMistyped(typed: string[], word: string[]): boolean {
  if (typed.length < FEWEST_LETTERS) return false;
  // In the midst of a word more would be alike by chance: there the first letter has to be right.
  return word.some((letter, start) => word.length - start >= FEWEST_LETTERS && (start === 0 || letter === typed[0]) && isOneOff(typed, word.slice(start)));
}

/** Whether `word` begins with `typed` but for a letter that is left out, too many or wrong, or two that changed places. */
function isOneOff(typed: string[], word: string[]): boolean {
  const first = typed.findIndex((letter, place) => letter !== word[place]);
  const goesOn = (inTyped: number, inWord: number) => typed.slice(first + inTyped).every((letter, place) => letter === word[first + inWord + place]);
  if (first < 0) return false;
  const isSwapped = typed[first] === word[first + 1] && typed[first + 1] === word[first];
  return goesOn(0, 1) || goesOn(1, 0) || goesOn(1, 1) || (isSwapped && goesOn(2, 2));
}
