import { importsOf, moduleOf, targetOf } from "./imports.ts";
import type { Finding, Source } from "./source.ts";

/** Parts of which nothing is to be seen. */
const UNSEEN = ["components/ui/time-zone-of-browser", "components/ui/unsaved-guard"];

/** Every part that others are made of stands in the gallery, by itself or within another that does, so that it is looked at in each of its states. */
export function checkGallery(sources: Source[]): Finding[] {
  const byModule = new Map(sources.map((source) => [moduleOf(source.path), source]));
  const shown = new Set<string>();
  const follow = (source: Source) => {
    for (const { from, isTypeOnly } of source.program ? importsOf(source.program) : []) {
      const part = moduleOf(targetOf(source.path, from) ?? "");
      const next = byModule.get(part);
      if (!part.startsWith("components/") || !next || isTypeOnly || shown.has(part)) continue;
      shown.add(part);
      follow(next);
    }
  };
  for (const source of sources) if (source.path.startsWith("app/gallery/")) follow(source);
  return sources
    .filter(({ path }) => /^components\/ui\/[^/]+\.tsx$/.test(path) && !UNSEEN.includes(moduleOf(path)) && !shown.has(moduleOf(path)))
    .map(({ path }) => ({ path, line: 1, message: "does not stand in the gallery: show it in app/gallery" }));
}
