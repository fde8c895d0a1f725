import { globSync, statSync } from "node:fs";
import { matchesGlob, posix } from "node:path";
import { moduleOf, targetOf } from "./imports.ts";
import { type Finding, FOLDERS, literalText, type Source, walk } from "./source.ts";

/** Its entry points are what knip takes to be used without asking. */
const KNIP = "knip.json";

/** What is read without being named: by tools, by a place's hosts, and all that lies in a folder (migrations, languages, decisions). */
const READ_UNNAMED = [
  /^\.ci\/run$/,
  /^\.(dockerignore|editorconfig|env|gitattributes|gitignore|npmrc)$/,
  /^(Dockerfile|LICENSE|README\.md|SECURITY\.md|CONTRIBUTING\.md|compose\.yaml|package(-lock)?\.json|biome\.json|knip\.json|tsconfig\.json)$/,
  /^prisma\/(migrations\/\d{14}_\w+\/migration\.sql|migrations\/migration_lock\.toml|schema\.prisma)$/,
  /^messages\/\w+\.json$/,
  /^docs\/decisions\/\d{4}-[\w-]+\.md$/,
];

/** What knip does not look at, its entry points and all that is no code, is named by a file other than itself. */
export function checkOrphans(sources: Source[], besideCode: string[] = filesBesideCode()): Finding[] {
  const entries: string[] = JSON.parse(sources.find(({ path }) => path === KNIP)?.text ?? "{}").entry ?? [];
  const programs = sources.map(({ path }) => path).filter((path) => !/\.test\.ts$/.test(path) && entries.some((entry) => matchesGlob(path, entry)));
  const others = sources.filter(({ path }) => path !== KNIP).map((source) => ({ ...source, strings: stringsIn(source) }));
  const strings = new Set(others.flatMap((other) => [...other.strings]));
  const isNamed = (path: string, inText: string, inStrings: string[]) =>
    others.some((other) => other.path !== path && (other.text.includes(inText) || inStrings.some((name) => other.strings.has(name))));
  const orphans = [
    ...programs.filter((path) => !isNamed(path, path, namesOf(path, strings))),
    ...besideCode.filter((path) => !READ_UNNAMED.some((name) => name.test(path)) && !isNamed(path, asNamed(path), [])),
  ];
  return orphans.map((path) => ({ path, line: 1, message: "is named by no other file: use it, or delete it" }));
}

/** Every file of the house but code, which knip follows from import to import. */
function filesBesideCode(): string[] {
  const folders = [...FOLDERS, "docs", "public", ".ci"].map((folder) => `${folder}/**/*`);
  const paths = globSync([...folders, "*", ".*"], { exclude: ["prisma/generated/**", "**/node_modules/**"] });
  return paths.filter((path) => !/\.([cm]?[jt]s|tsx|css)$/.test(path) && statSync(path).isFile());
}

/** A file in public/ by its address, any other by what a link from anywhere ends with. */
function asNamed(path: string): string {
  return path.startsWith("public/") ? path.slice("public".length) : path.split("/").slice(-2).join("/");
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
