import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { findLastBackup, noteBackup } from "./last.ts";

const NOBODY = 65534;

const folder = mkdtempSync(join(tmpdir(), "heard-last-"));
const dataDir = join(folder, "data");
process.env.DATA_DIR = dataDir;

beforeEach(() => rmSync(dataDir, { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

test("the note makes its place where there is none yet, as beside PostgreSQL", () => {
  noteBackup("heard.jsonl.gz");
  noteBackup("again.jsonl.gz");

  expect(findLastBackup()?.path).toBe("again.jsonl.gz");
});

test.runIf(process.getuid?.() === 0)("what root notes of a backup, and its folder, belong to whom the site belongs", () => {
  mkdirSync(dataDir);
  chownSync(dataDir, NOBODY, NOBODY);
  // As the backup itself made it before, in its usual place.
  mkdirSync(join(dataDir, "backups"), { mode: 0o700 });

  noteBackup("heard.jsonl.gz");

  expect(findLastBackup()?.path).toBe("heard.jsonl.gz");
  for (const path of ["backups", "backups/last.json"]) expect(statSync(join(dataDir, path))).toMatchObject({ uid: NOBODY, gid: NOBODY });
});
