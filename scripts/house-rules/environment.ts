import { type Finding, isTest, lineAt, type Source, walk } from "./source.ts";

/** What may read the environment beside lib/env.ts, and why. */
const READERS = [
  /^lib\/env\.ts$/,
  // They run before anything is installed.
  /^scripts\/.*\.mjs$/,
  // Read by tools, not by Heard.
  /^[a-z]+\.config\.(ts|mjs)$/,
  // They choose what the tests run on, and hand it on to other programs.
  /^scripts\/(suites|check|screens|planted-faults)\.ts$/,
  // Next puts NEXT_RUNTIME in while it builds.
  /^instrumentation\.ts$/,
];

/** Settings are read and checked once, in lib/env.ts: nothing else reads `process.env`. */
export function checkEnvironment(sources: Source[]): Finding[] {
  return sources.flatMap((source) => {
    if (!source.program || isTest(source.path) || READERS.some((reader) => reader.test(source.path))) return [];
    const findings: Finding[] = [];
    walk(source.program, (node) => {
      const isMember = node.type === "MemberExpression" && node.property.type === "Identifier" && node.property.name === "env";
      const isProcess = isMember && source.text.slice(node.object.start, node.object.end).match(/^(globalThis\.)?process$/);
      const isImport =
        node.type === "ImportSpecifier" &&
        source.text.slice(node.imported.start, node.imported.end) === "env" &&
        /node:process/.test(lineOf(source, node.start));
      if (isProcess || isImport)
        findings.push({ path: source.path, line: lineAt(source, node.start), message: "reads the environment: add the setting to lib/env.ts and call env()" });
    });
    return findings;
  });
}

function lineOf({ text }: Source, offset: number): string {
  return text.slice(text.lastIndexOf("\n", offset) + 1, text.indexOf("\n", offset));
}
