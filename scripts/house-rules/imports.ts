import { posix } from "node:path";
import type { Node } from "oxc-parser";
import { type Finding, isTest, lineAt, literalText, type Source, walk } from "./source.ts";

/** `names` are those of values; `*` is all of them. */
type Import = { from: string; names: string[]; isTypeOnly: boolean; offset: number };

/** What each room may import: values and types, or types alone. Anything may import packages, and itself. */
const ROOMS: Record<string, { values: string[]; types: string[] }> = {
  front: { values: ["server", "lib", "messages"], types: [] },
  app: { values: ["components", "server", "lib", "messages"], types: [] },
  components: { values: ["messages"], types: ["server", "lib"] },
  emails: { values: ["messages"], types: ["lib"] },
  server: { values: ["lib", "prisma", "emails", "messages"], types: [] },
  lib: { values: ["prisma"], types: [] },
  prisma: { values: [], types: [] },
  messages: { values: [], types: ["lib"] },
};

/** Imports go one way, app → server → lib → prisma, and front, which stands beside app, as app does; across rooms by alias. */
export function checkImports(sources: Source[]): Finding[] {
  const files = sources.flatMap((source) => (source.program ? [{ source, imports: importsOf(source.program) }] : []));
  const plain = new Set(
    files.filter(({ source, imports }) => roomOf(source.path) === "lib" && imports.every(isOfPackage)).map(({ source }) => moduleOf(source.path)),
  );
  return files.flatMap(({ source, imports }) => imports.flatMap((found) => checkImport(source, found, plain)));
}

/** What imports nothing of Heard's and nothing of Node's, `plain`, runs in a browser and a letter as it does on the server: it may be imported wherever its types may. */
function checkImport(source: Source, found: Import, plain: Set<string>): Finding[] {
  const target = targetOf(source.path, found.from);
  if (target === null) return [];
  const problem = problemWith(source.path, target, { ...found, isTypeOnly: found.isTypeOnly || plain.has(moduleOf(target)) });
  return problem === null ? [] : [{ path: source.path, line: lineAt(source, found.offset), message: problem }];
}

function problemWith(path: string, target: string, found: Import): string | null {
  const [here, there] = [roomOf(path), roomOf(target)];
  const problem = forbiddenBy(path, target, found);
  const isAcross = here !== there && here !== "" && !path.endsWith(".mjs");
  if (problem || !isAcross || !found.from.startsWith(".")) return problem;
  return `imports "${found.from}" from another room: write "#${moduleOf(target)}"`;
}

function forbiddenBy(path: string, target: string, found: Import): string | null {
  const [here, there] = [roomOf(path), roomOf(target)];
  if (/^\w+\/testing\//.test(target)) return isTest(path) || isScript(here) ? null : `imports "${found.from}", which is for tests only`;
  if (isDatabase(target, found) && !mayAskDatabase(here, path)) return `asks the database ("${found.from}"): only server/, lib/ and front/ do`;
  const room = ROOMS[here];
  if (!room || here === there || room.values.includes(there)) return null;
  if (found.isTypeOnly && room.types.includes(there)) return null;
  return `${here}/ may not import${room.types.includes(there) ? " values" : ""} from ${there}/ ("${found.from}")`;
}

/** `db` is for `server/`, `lib/` and `front/`: elsewhere it would pass the rules by. */
function isDatabase(target: string, { names, isTypeOnly }: Import): boolean {
  return /^lib\/db(\.ts)?$/.test(target) && !isTypeOnly && names.some((name) => name === "db" || name === "*");
}

function mayAskDatabase(room: string, path: string): boolean {
  return room === "server" || room === "lib" || room === "front" || isScript(room) || isTest(path);
}

function isScript(room: string): boolean {
  return !(room in ROOMS);
}

function isOfPackage({ from, isTypeOnly }: Import): boolean {
  return isTypeOnly || !/^(#|\.|node:)/.test(from);
}

/** The path from the root of what is imported, or null for a package. */
export function targetOf(path: string, from: string): string | null {
  if (from.startsWith("#")) return from.slice(1);
  return from.startsWith(".") ? posix.join(posix.dirname(path), from) : null;
}

/** A path without its extension, as imports name it. */
export function moduleOf(path: string): string {
  return path.replace(/\.\w+$/, "");
}

/** Files at the root are a room of their own, named after nothing. */
function roomOf(path: string): string {
  const room = path.includes("/") ? (path.split("/")[0] ?? "") : "";
  // Next calls it when the server starts: it opens nothing that a page may not.
  return path === "instrumentation.ts" ? "app" : room;
}

/** Everything that a file imports, statically or not, by a name that is written out, and re-exports. */
export function importsOf(program: Node): Import[] {
  const found: Import[] = [];
  walk(program, (node) => {
    if (node.type === "ImportDeclaration")
      found.push({ from: node.source.value, names: node.specifiers.filter(isValue).map(importedName), isTypeOnly: isTypeOnlyImport(node), offset: node.start });
    const asked = node.type === "ImportExpression" ? literalText(node.source) : null;
    if (asked !== null) found.push({ from: asked, names: ["*"], isTypeOnly: false, offset: node.start });
    if (node.type === "TSImportType") found.push({ from: node.source.value, names: [], isTypeOnly: true, offset: node.start });
    const isExport = node.type === "ExportNamedDeclaration" || node.type === "ExportAllDeclaration";
    if (isExport && node.source) found.push({ from: node.source.value, names: ["*"], isTypeOnly: node.exportKind === "type", offset: node.start });
  });
  return found;
}

type ImportDeclaration = Extract<Node, { type: "ImportDeclaration" }>;

function importedName(specifier: ImportDeclaration["specifiers"][number]): string {
  if (specifier.type !== "ImportSpecifier") return "*";
  return specifier.imported.type === "Literal" ? specifier.imported.value : specifier.imported.name;
}

function isValue(specifier: ImportDeclaration["specifiers"][number]): boolean {
  return specifier.type !== "ImportSpecifier" || specifier.importKind !== "type";
}

function isTypeOnlyImport(node: ImportDeclaration): boolean {
  return node.importKind === "type" || (node.specifiers.length > 0 && !node.specifiers.some(isValue));
}
