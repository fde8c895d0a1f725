import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isTest, literalText, readSources, walk } from "./house-rules/source.ts";

const LEVELS = ["warn", "error", "fatal"];

/** What the log can say of something that is wrong: a message's words up to where it is filled in. */
function troubles(): string[] {
  const said: string[] = [];
  for (const { path, program } of readSources()) {
    if (!program || isTest(path) || path === "lib/log.ts") continue;
    walk(program, (node) => {
      if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return;
      const { object, property } = node.callee;
      if (object.type !== "Identifier" || object.name !== "log" || property.type !== "Identifier" || !LEVELS.includes(property.name)) return;
      const words = node.arguments.map(literalText).find((text) => text !== null);
      if (words) said.push(words.split("…")[0]?.replace(/[.:;] ?$/, "") ?? "");
    });
  }
  return said;
}

test("docs/operations.md has a line for everything that the log tells of something wrong", () => {
  const guide = readFileSync("docs/operations.md", "utf8");
  const all = troubles();

  expect(all.length).toBeGreaterThan(30);
  expect(all.filter((words) => !guide.includes(words.split(/[;:.] /)[0] ?? words))).toEqual([]);
});
