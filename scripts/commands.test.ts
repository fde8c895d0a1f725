import { mkdirSync, rmSync } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { moveToPostgres } from "#server/backup/move";
import { report, runCommand } from "./commands.ts";

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
