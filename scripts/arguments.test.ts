import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const DEMO_HAS = "this command has --remove, --boards VALUE, --people VALUE, --posts VALUE, --seed VALUE";

function answerTo(command: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${command}.ts`, ...args], { encoding: "utf8" });
  return [status, stdout, stderr];
}

test.each(["backup", "db-migrate", "db-new-migration", "move-to-postgres", "owner-reset-password", "restore", "sbom"])(
  "%s says that it has no options",
  (command) => {
    expect(answerTo(command, "--bogus=secret")).toEqual([1, "", "There is no option --bogus: this command has no options.\n"]);
  },
);

test.each([
  ["demo", DEMO_HAS],
  ["recount", "this command has --check"],
  ["check", "this command has --fix"],
])("%s says of an option that it does not know which ones it has", (command, has) => {
  expect(answerTo(command, "--constructor=secret")).toEqual([1, "", `There is no option --constructor: ${has}.\n`]);
});

test.each(["suites"])("%s names its options, too", (command) => {
  expect(answerTo(command, "--bogus")).toEqual([1, "", expect.stringMatching(/^There is no option --bogus: this command has --.*\.\n$/)]);
});

test.each([
  [["--boards"], "An option lacks its value, or has one that it does not take"],
  [["--boards", "--people", "3"], "An option lacks its value, or has one that it does not take"],
  [["--remove=secret"], "An option lacks its value, or has one that it does not take"],
  [["secret"], "There is a word too many"],
])("demo %j is refused in a sentence", (args, problem) => {
  expect(answerTo("demo", ...args)).toEqual([1, "", `${problem}: ${DEMO_HAS}.\n`]);
});

test.each(["backup", "move-to-postgres", "owner-reset-password", "restore"])("%s takes one word, and says so of more", (command) => {
  expect(answerTo(command, "one", "more")).toEqual([1, "", "Give one word only, and put it in quotes if there is a space in it.\n"]);
});
