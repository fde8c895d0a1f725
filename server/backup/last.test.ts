import { chownSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { findLastBackup, noteBackup } from "./last.ts";

const NOBODY = 65534;

test.runIf(process.getuid?.() === 0)("what root notes of a backup belongs to whom the site belongs, who reads it", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "heard-last-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  chownSync(dataDir, NOBODY, NOBODY);
  vi.stubEnv("DATA_DIR", dataDir);
  onTestFinished(() => void vi.unstubAllEnvs());

  noteBackup("heard.jsonl.gz");

  expect(findLastBackup()?.path).toBe("heard.jsonl.gz");
  noteBackup("again.jsonl.gz");
  expect(findLastBackup()?.path).toBe("again.jsonl.gz");
  for (const path of ["backups", "backups/last.json"]) expect(statSync(join(dataDir, path))).toMatchObject({ uid: NOBODY, gid: NOBODY });
});
