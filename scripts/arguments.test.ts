import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test.each(["demo", "owner-reset-password", "suites"])("%s says in one line what it was not asked for properly", (command) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${command}.ts`, "--bogus"], { encoding: "utf8" });

  expect(stderr).toMatch(/^Unknown option '--bogus'.*\n$/);
  expect(stdout).toBe("");
  expect(status).toBe(1);
});

test.each(["backup", "move-to-postgres", "owner-reset-password", "restore"])("%s takes one word, and says so of more", (command) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${command}.ts`, "one", "more"], { encoding: "utf8" });

  expect([status, stdout, stderr]).toEqual([1, "", "Give one word only, and put it in quotes if there is a space in it.\n"]);
});
