import { readdirSync, statSync } from "node:fs";
import { matchesGlob, posix } from "node:path";
import { moduleOf, targetOf } from "./imports.ts";
import { type Finding, literalText, type Source, walk } from "./source.ts";

/** Its entry points are what knip takes to be used without asking. */
const KNIP = "knip.json";

/** What knip does not look at, its entry points and the files in public/, is named by a file other than itself. */
export function checkOrphans(sources: Source[], inPublic: string[] = filesInPublic()): Finding[] {
  const entries: string[] = JSON.parse(sources.find(({ path }) => path === KNIP)?.text ?? "{}").entry ?? [];
  const programs = sources.map(({ path }) => path).filter((path) => !/\.test\.ts$/.test(path) && entries.some((entry) => matchesGlob(path, entry)));
  const others = sources.filter(({ path }) => path !== KNIP).map((source) => ({ ...source, strings: stringsIn(source) }));
  const strings = new Set(others.flatMap((other) => [...other.strings]));
  const isNamed = (path: string, inText: string, inStrings: string[]) =>
    others.some((other) => other.path !== path && (other.text.includes(inText) || inStrings.some((name) => other.strings.has(name))));
  const orphans = [
    ...programs.filter((path) => !isNamed(path, path, namesOf(path, strings))),
    ...inPublic.filter((path) => !isNamed(path, path.slice("public".length), [])),
  ];
  return orphans.map((path) => ({ path, line: 1, message: "is named by no other file: use it, or delete it" }));
}

function filesInPublic(): string[] {
  const paths = readdirSync("public", { recursive: true, encoding: "utf8" }).map((path) => `public/${path}`);
  return paths.filter((path) => statSync(path).isFile());
}

/** As it is imported; and the bare name, where another file fills it into the path of the folder. */
function namesOf(path: string, strings: Set<string>): string[] {
  const { dir, name, ext } = posix.parse(path);
  return [moduleOf(path), ...(strings.has(`${dir}/…${ext}`) ? [name] : [])];
}

/** Every string in the code, and the module, from the root, that it may mean. */
function stringsIn({ path, program }: Source): Set<string> {
  const found = new Set<string>();
  if (program)
    walk(program, (node) => {
      const text = literalText(node);
      if (text !== null) found.add(text).add(moduleOf(targetOf(path, text) ?? text));
    });
  return found;
}
