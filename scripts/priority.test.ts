import { execFileSync } from "node:child_process";
import { getPriority } from "node:os";
import { expect, test } from "vitest";

const ASK = `import("./scripts/priority.ts").then(({ lowerPriority }) => { lowerPriority(); console.log(require("node:os").getPriority()); })`;

/** The priority that a process has then which was started `lower` than this one. */
function priorityAfter(lower: number): number {
  return Number(execFileSync("nice", ["-n", String(lower), process.execPath, "-e", ASK], { encoding: "utf8" }));
}

test("steps behind whoever has the usual priority, and never before the one it was given", () => {
  const own = getPriority();
  for (const lower of [0, 5, 10, 15, 19]) expect(priorityAfter(lower)).toBe(Math.min(Math.max(own + lower, 10), 19));
});
