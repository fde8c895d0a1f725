import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAULTS } from "./all.ts";

test.for(FAULTS)("$bars: the fault that $what has one place, and a test to notice it", ({ file, find, replace, test: noticing }) => {
  expect(readFileSync(file, "utf8").split(find)).toHaveLength(2);
  expect(find).not.toBe(replace);
  expect(existsSync(noticing)).toBe(true);
});
