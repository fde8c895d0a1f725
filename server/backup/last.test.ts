import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { findLastBackup, makeBackupPlace, noteBackup } from "./last.ts";

const NOBODY = 65534;

const folder = mkdtempSync(join(tmpdir(), "heard-last-"));
// The site's user gets there.
chmodSync(folder, 0o755);
const dataDir = join(folder, "data");
process.env.DATA_DIR = dataDir;

beforeEach(() => rmSync(dataDir, { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

test("the note has its place where there is none yet, as beside PostgreSQL", () => {
  makeBackupPlace();
  noteBackup("heard.jsonl.gz");
  noteBackup("again.jsonl.gz");

  expect(findLastBackup()?.path).toBe("again.jsonl.gz");
  expect(readdirSync(join(dataDir, "backups"))).toEqual(["last.json"]);
});

describe.runIf(process.getuid?.() === 0)("a backup by root of somebody else's site", () => {
  beforeEach(() => {
    mkdirSync(dataDir);
    chownSync(dataDir, NOBODY, NOBODY);
  });

  test("leaves the place and the note of it to the site", () => {
    const before = [process.geteuid?.(), process.getegid?.(), process.getgroups?.().toSorted()];
    makeBackupPlace();
    noteBackup("heard.jsonl.gz");

    expect(findLastBackup()?.path).toBe("heard.jsonl.gz");
    for (const path of ["backups", "backups/last.json"]) expect(statSync(join(dataDir, path))).toMatchObject({ uid: NOBODY, gid: NOBODY });
    expect([process.geteuid?.(), process.getegid?.(), process.getgroups?.().toSorted()]).toEqual(before);
  });

  test("writes nothing where the site's user could not", () => {
    const ofRoot = join(folder, "root");
    mkdirSync(ofRoot);
    // Also where root's group alone may write.
    chmodSync(ofRoot, 0o775);
    process.setgroups?.([0]);
    symlinkSync(ofRoot, join(dataDir, "backups"));

    makeBackupPlace();
    noteBackup("heard.jsonl.gz");

    expect([findLastBackup(), readdirSync(ofRoot)]).toEqual([null, []]);
  });
});
