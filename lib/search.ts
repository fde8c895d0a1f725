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
