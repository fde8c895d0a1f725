import type { Node } from "oxc-parser";
import { type Finding, type Source, walk } from "./source.ts";

const SCHEMA = "lib/env.ts";
const EXAMPLE = ".env.example";
/** Read by tests and tools, not by Heard. */
const FOR_TESTS = ["TEST_DATABASE_URL", "CHROMIUM_PATH"];

/** .env.example explains exactly the settings that lib/env.ts reads. */
export function checkSettings(sources: Source[]): Finding[] {
  const schema = sources.find(({ path }) => path === SCHEMA);
  const example = sources.find(({ path }) => path === EXAMPLE);
  if (!schema?.program || !example) return [];
  const read = settingsIn(schema.program);
  const explained = [...example.text.matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map((match) => match[1] as string);
  return [
    ...read.filter((name) => !explained.includes(name)).map((name) => ({ path: EXAMPLE, line: 1, message: `does not explain ${name}, which ${SCHEMA} reads` })),
    ...explained
      .filter((name) => !read.includes(name) && !FOR_TESTS.includes(name))
      .map((name) => ({ path: EXAMPLE, line: 1, message: `explains ${name}, which nothing reads` })),
  ];
}

/** The keys of the object that is given to `z.object`. */
function settingsIn(program: Node): string[] {
  const names: string[] = [];
  walk(program, (node, ancestors) => {
    if (node.type !== "Property" || node.key.type !== "Identifier" || !/^[A-Z][A-Z_]+$/.test(node.key.name)) return;
    const call = ancestors.at(-2);
    const isSchema =
      call?.type === "CallExpression" &&
      call.callee.type === "MemberExpression" &&
      call.callee.property.type === "Identifier" &&
      call.callee.property.name === "object";
    if (isSchema) names.push(node.key.name);
  });
  return names;
}
