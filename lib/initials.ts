/** The first letters of a name's first and last word; the first character of a name without letters. */
export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : [words[0] ?? name];
  return chosen.map((word) => firstGrapheme(word ?? "").toLocaleUpperCase()).join("");
}

function firstGrapheme(text: string): string {
  const [first] = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text);
  return first?.segment ?? "";
}
