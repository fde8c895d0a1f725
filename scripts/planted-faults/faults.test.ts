import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAULTS_OF_ANSWERS } from "./of-answers.ts";
import { FAULTS_OF_RULES } from "./of-rules.ts";
import { FAULTS_OF_SERVER } from "./of-server.ts";

test.for([...FAULTS_OF_RULES, ...FAULTS_OF_SERVER, ...FAULTS_OF_ANSWERS])(
  "$bars: the fault that $what has its place, and a test to notice it",
  ({ file, find, replace, test: noticing }) => {
    expect(readFileSync(file, "utf8")).toContain(find);
    expect(find).not.toBe(replace);
    expect(existsSync(noticing)).toBe(true);
  },
);
