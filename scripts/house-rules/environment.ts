import type { Node } from "oxc-parser";
import { type Finding, isTest, lineAt, literalText, type Source, walk } from "./source.ts";

/** What may read the environment beside lib/env.ts, and why. */
const READERS = [
  /^lib\/env\.ts$/,
  // They run before anything is installed.
  /^scripts\/.*\.mjs$/,
  // Read by tools, not by Heard.
  /^[a-z]+\.config\.(ts|mjs)$/,
  // They choose what the tests, or a server for the build, run on, and hand it on to other programs.
  /^scripts\/(suites|check|screens|planted-faults|first-start)\.ts$/,
  // Next puts NEXT_RUNTIME in while it builds.
  /^instrumentation\.ts$/,
];

const IS_PROCESS = /^(node:)?process$/;

/** Settings are read and checked once, in lib/env.ts: nothing else reads `process.env`, also by another name that an import or a destructuring declaration gives it. */
export function checkEnvironment(sources: Source[]): Finding[] {
  return sources.flatMap((source) => {
    if (!source.program || isTest(source.path) || READERS.some((reader) => reader.test(source.path))) return [];
    const isProcess = processIn(source);
    const findings: Finding[] = [];
    walk(source.program, (node) => {
      if (readsEnvironment(node, isProcess))
        findings.push({ path: source.path, line: lineAt(source, node.start), message: "reads the environment: add the setting to lib/env.ts and call env()" });
    });
    return findings;
  });
}

/** `process.env`, `process["env"]`, `const { env } = process`, `import { env } from "node:process"`, `export { env } from "node:process"`. */
function readsEnvironment(node: Node, isProcess: (node: Node | null) => boolean): boolean {
  if (node.type === "MemberExpression") return isProcess(node.object) && nameOf(node.property) === "env";
  if (node.type === "VariableDeclarator") return isProcess(node.init) && node.id.type === "ObjectPattern" && node.id.properties.some(takesEnvironment);
  if (node.type === "ExportNamedDeclaration") return IS_PROCESS.test(node.source?.value ?? "") && node.specifiers.some(({ local }) => nameOf(local) === "env");
  if (node.type !== "ImportDeclaration" || !IS_PROCESS.test(node.source.value)) return false;
  return node.specifiers.some((specifier) => specifier.type === "ImportSpecifier" && nameOf(specifier.imported) === "env");
}

/** Tells what is the process: `process`, `globalThis.process`, and what the file imports it as. */
function processIn({ program, text }: Source): (node: Node | null) => boolean {
  const names = new Set(["process"]);
  walk(program as Node, (node) => {
    if (node.type !== "ImportDeclaration" || !IS_PROCESS.test(node.source.value)) return;
    for (const specifier of node.specifiers)
      if (specifier.type !== "ImportSpecifier" || nameOf(specifier.imported) === "default") names.add(specifier.local.name);
  });
  return (node) => node !== null && names.has(text.slice(node.start, node.end).replace(/^globalThis\.|^global\./, ""));
}

function takesEnvironment(property: Node): boolean {
  return property.type === "RestElement" || (property.type === "Property" && nameOf(property.key) === "env");
}

function nameOf(node: Node): string | null {
  return node.type === "Identifier" ? node.name : literalText(node);
}
