import { type Finding, lineAt, type Source } from "./source.ts";

const FORBIDDEN: [RegExp, string][] = [
  [/(?<![\w.])\/(?:home|Users|root|mnt|work)\/[\w.-]+/g, "names a path of one machine"],
  [/\b(?:TODO|FIXME|XXX|HACK)\b/g, "leaves work behind: do it, or write down elsewhere who will"],
  [/@ts-ignore|@ts-nocheck/g, "switches types off"],
];

/** Words that no file of the house carries. */
export function checkWords(sources: Source[]): Finding[] {
  const others = sources.filter(({ path }) => !path.startsWith("scripts/house-rules/"));
  return others.flatMap((source) =>
    FORBIDDEN.flatMap(([pattern, message]) =>
      [...source.text.matchAll(pattern)].map((match) => ({ path: source.path, line: lineAt(source, match.index), message: `"${match[0]}" ${message}` })),
    ),
  );
}
