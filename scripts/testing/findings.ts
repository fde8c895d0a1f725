import { type Finding, type Source, toSource } from "../house-rules/source.ts";

/** What `rule` finds in `files`, their texts by path, as the command prints it. */
export function findings(rule: (sources: Source[]) => Finding[], files: Record<string, string>): string[] {
  const sources = Object.entries(files).map(([path, text]) => toSource(path, text));
  return rule(sources).map(({ path, line, message }) => `${path}:${line} ${message}`);
}
