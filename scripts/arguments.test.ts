import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test.each(["demo", "owner-reset-password", "suites"])("%s says in one line what it was not asked for properly", (command) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${command}.ts`, "--bogus"], { encoding: "utf8" });

  expect(stderr).toMatch(/^Unknown option '--bogus'.*\n$/);
  expect(stdout).toBe("");
  expect(status).toBe(1);
});
