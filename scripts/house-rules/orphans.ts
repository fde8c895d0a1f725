import { globSync, readFileSync, statSync } from "node:fs";
import { matchesGlob, posix } from "node:path";
import { importsOf, moduleOf, targetOf } from "./imports.ts";
import { type Finding, isTest, literalText, type Source, walk } from "./source.ts";

/** Its entry points are what knip takes to be used without asking. */
const KNIP = "knip.json";

/** What is read without being named: by tools, by whoever opens the repository, and where all that lies in a folder counts (migrations, decisions). */
const READ_UNNAMED = [
  ".ci/run",
  "{.dockerignore,.editorconfig,.gitattributes,.gitignore,.npmrc,.env.example,Dockerfile,compose.yaml}",
  "{LICENSE,README.md,SECURITY.md,CONTRIBUTING.md,package.json,package-lock.json,biome.json,knip.json,tsconfig.json}",
  "prisma/{schema.prisma,migrations/migration_lock.toml,migrations/*/migration.sql}",
  "docs/decisions/*.md",
];

/** What is there only by being imported: that a document or a test speaks of a language does not have Heard speak it. */
const READ_BY_IMPORT = "messages/*.json";

/** What knip does not look at, its entry points and all that is not in its project, is named by a file other than itself; a file of messages is imported by one. */
export function checkOrphans(sources: Source[], paths: string[] = filesOfTheHouse()): Finding[] {
  const { entry: entries = [], project = [] }: { entry?: string[]; project?: string[] } = JSON.parse(sources.find(({ path }) => path === KNIP)?.text ?? "{}");
  const besideKnip = paths.filter((path) => ![...project, ...READ_UNNAMED].some((glob) => matchesGlob(path, glob)));
  const programs = sources.map(({ path }) => path).filter((path) => !/\.test\.ts$/.test(path) && entries.some((entry) => matchesGlob(path, entry)));
  const others = sources.filter(({ path }) => path !== KNIP).map((source) => ({ ...source, strings: stringsIn(source) }));
  const strings = new Set(others.flatMap((other) => [...other.strings]));
  const imported = new Set(others.filter(({ path }) => !isTest(path)).flatMap(importedBy));
  const isNamed = (path: string, inText: string, inStrings: string[]) =>
    others.some((other) => other.path !== path && (other.text.includes(inText) || inStrings.some((name) => other.strings.has(name))));
  const orphans = [
    ...programs.filter((path) => !isNamed(path, path, namesOf(path, strings))),
    ...besideKnip.filter((path) => !(matchesGlob(path, READ_BY_IMPORT) ? imported.has(path) : isNamed(path, asNamed(path), []))),
  ];
  return orphans.map((path) => ({ path, line: 1, message: "is named by no other file: use it, or delete it" }));
}

/** Every file that is kept in the repository, or may be: all but what .gitignore names, and hidden folders of tools. */
export function filesOfTheHouse(): string[] {
  const ignored = readFileSync(".gitignore", "utf8").split("\n").filter(Boolean);
  const exclude = ignored.flatMap((line) => [line, `${line}/**`].map((glob) => glob.replace("//", "/").replace(/^\//, "")));
  return globSync(["**/*", "**/.*", ".ci/**/*"], { exclude }).filter((path) => statSync(path).isFile());
}

function importedBy({ path, program }: Source): (string | null)[] {
  return program ? importsOf(program).map(({ from }) => targetOf(path, from)) : [];
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
