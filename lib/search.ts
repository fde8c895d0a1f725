/**
 * `text` as search compares it: without case, accents and doubled spaces, so that "cafe" finds "Café". Done here rather than by the
 * database, whose idea of a letter's case depends on how it was made.
 */
export function foldForSearch(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .trim();
}

/** What is stored for search of `text`: folded, and cut where the column ends, for one letter can become eighteen ("ﷺ"). */
export function searchTextOf(text: string, maxLength: number): string {
  return [...foldForSearch(text)].slice(0, maxLength).join("");
}

/** In characters: nobody looks for more. */
export const MAX_QUERY_LENGTH = 100;

/** What somebody typed to look for: on one line, without what PostgreSQL refuses (NUL, half characters), and cut after `max` characters. */
export function typedQuery(text: string, max = MAX_QUERY_LENGTH): string {
  return [...text.toWellFormed().replace(/\p{Cc}/gu, " ")].slice(0, max).join("").trim();
}

const JOINERS = "[-‐-―_./]";
const BETWEEN_WORDS = new RegExp(` +|(?<=[\\p{L}\\p{N}])${JOINERS}\\u2060?(?=[\\p{L}\\p{N}])`, "u");
const HALF_TYPED = new RegExp(`(?<=[\\p{L}\\p{N}])${JOINERS}\\u2060?$`, "u");

/** The words that `text` is made of, folded, each once. What hyphens, dots and the like join, also where no line may break behind them, counts as several: an address such as "wishing-well" finds "Wishing well". */
export function wordsOf(text: string): string[] {
  return [...new Set(foldForSearch(text).split(BETWEEN_WORDS).filter(Boolean))];
}

/** The same of what somebody is typing: "e-" is on its way to "e-mail", which is two words. */
export function wordsOfTyped(text: string): string[] {
  return wordsOf(text).map((word) => word.replace(HALF_TYPED, ""));
}

/** `word` for LIKE, which takes every character of it for itself and none for a wildcard. */
export function likePattern(word: string): string {
  return word.replace(/[\\%_]/g, "\\$&");
}
