import type { Finding, Source } from "./source.ts";

const FORBIDDEN: [RegExp, string][] = [
  [/(?<![\w.])\/(?:home|Users|root|mnt|work)\/[\w.-]+/g, "names a path of one machine"],
  [/\b(?:TODO|FIXME|XXX|HACK)\b/g, "leaves work behind: do it, or write down elsewhere who will"],
  [/@ts-ignore|@ts-nocheck/g, "switches types off"],
];

/** Words that no file of the house carries. */
export function checkWords(sources: Source[]): Finding[] {
  const others = sources.filter(({ path }) => !path.startsWith("scripts/house-rules/"));
  return others.flatMap(({ path, text }) =>
    FORBIDDEN.flatMap(([pattern, message]) =>
      [...text.matchAll(pattern)].map((match) => ({ path, line: text.slice(0, match.index).split("\n").length, message: `"${match[0]}" ${message}` })),
    ),
  );
}
