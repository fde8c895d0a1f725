import { readFileSync } from "node:fs";
import type { Node } from "oxc-parser";
import { expect, test } from "vitest";
import { isTest, literalText, readSources, walk } from "./house-rules/source.ts";

const LEVELS = ["warn", "error", "fatal"];

/** What the log can say of something that is wrong: a message's words up to where it is filled in. */
function troubles(): string[] {
  const said: string[] = [];
  for (const { path, program } of readSources()) {
    if (!program || isTest(path) || path === "lib/log.ts") continue;
    walk(program, (node) => {
      const words = node.type === "CallExpression" && isTold(node.callee) ? node.arguments.map(wordsOf).find((text) => text !== null) : null;
      if (words) said.push(words.split("…")[0]?.replace(/[.:;] ?$/, "") ?? "");
    });
  }
  return said;
}

/** Whether it is `log.warn` and its like, `log[…]`, or `logFailure`. */
function isTold(callee: Node): boolean {
  if (callee.type === "Identifier") return callee.name === "logFailure";
  if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier" || callee.object.name !== "log") return false;
  return callee.computed || (callee.property.type === "Identifier" && LEVELS.includes(callee.property.name));
}

/** A text, or what `logFailure` is told to call the failure. */
function wordsOf(argument: Node): string | null {
  if (argument.type !== "ObjectExpression") return literalText(argument);
  const what = argument.properties.find((property) => property.type === "Property" && property.key.type === "Identifier" && property.key.name === "what");
  return what?.type === "Property" ? literalText(what.value) : null;
}

test("docs/operations.md has a line for everything that the log tells of something wrong", () => {
  const guide = readFileSync("docs/operations.md", "utf8");
  const all = troubles();

  expect(all.length).toBeGreaterThan(30);
  expect(all.filter((words) => !guide.includes(words.split(/[;:.] /)[0] ?? words))).toEqual([]);
});
