import { mkdirSync, rmSync } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { moveToPostgres } from "#server/backup/move";
import { report, runCommand } from "./commands.ts";

const closeDatabase = vi.hoisted(() => vi.fn(async () => {}));
vi.mock("#lib/db", async (original) => ({ ...(await original<object>()), closeDatabase }));

// The settings are read with the modules.
const dataDir = vi.hoisted(() => {
  const path = `/tmp/heard-closed-${process.pid}`;
  Object.assign(process.env, { DATA_DIR: path, DATABASE_URL: "" });
  return path;
});

beforeAll(() => mkdirSync(dataDir, { mode: 0o700 }));
afterAll(() => rmSync(dataDir, { recursive: true }));

test.runIf(process.getuid?.() === 0).for([
  ["recount", () => runCommand("recount", {})],
  ["move-to-postgres", () => report(async (onProgress) => `${await moveToPostgres("postgresql://127.0.0.1:1/heard", onProgress)}`)],
] as const)("%s by somebody who may not look into the data directory says so, and not that there is no site", async ([, run]) => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => {
    said.mockRestore();
    process.exitCode = 0;
  });

  process.seteuid?.("nobody");
  const done = run();
  process.seteuid?.(0);
  await done;

  expect([process.exitCode, said.mock.calls.join("")]).toEqual([1, `This user may not look into ${dataDir}: do it as the user that runs Heard.\n`]);
});

test("what a command did is told before its database is closed, and a database that does not close ends it with 1", async () => {
  const events: string[] = [];
  const watch = (name: "stdout" | "stderr") => vi.spyOn(process[name], "write").mockImplementation((text) => events.push(`${name}: ${text}`) > 0);
  const watches = [watch("stdout"), watch("stderr")];
  onTestFinished(() => {
    for (const watched of watches) watched.mockRestore();
    process.exitCode = 0;
  });
  closeDatabase.mockImplementationOnce(async () => {
    events.push("closing");
    throw new Error("It does not close.");
  });

  await report(async () => "Done.");

  expect([events, process.exitCode]).toEqual([["stdout: Done.\n", "closing", "stderr: It does not close.\n"], 1]);
});
