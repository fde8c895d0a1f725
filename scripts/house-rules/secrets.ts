import { findSecrets } from "#lib/testing/secrets";
import { type Finding, lineAt, type Source } from "./source.ts";

/** No file holds what only its owner may know. */
export function checkSecrets(sources: Source[]): Finding[] {
  return sources.flatMap((source) =>
    findSecrets(source.text).map(({ kind, index }) => ({
      path: source.path,
      line: lineAt(source, index),
      message: `holds what looks like ${kind}: take it out, and make it worthless where it was used`,
    })),
  );
}
