import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const NOT_COPIED = ["node_modules", ".git", ".next", ".heard", "data", "screens", "test-results"];

/** Copies this checkout, with what is installed and without what was built, into a new folder. Returns its path; remove it in the end. */
export function copyCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), "heard-copy-"));
  cpSync(".", copy, { recursive: true, filter: (path) => !NOT_COPIED.includes(relative(".", path).split("/")[0] ?? "") });
  // Hard links: a copy of everything that is installed would take longer than what it is made for.
  execFileSync("cp", ["-al", "node_modules", copy]);
  return copy;
}
