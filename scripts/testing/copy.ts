import { execFileSync } from "node:child_process";
import { accessSync, constants, cpSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

const NOT_COPIED = ["node_modules", ".env", ".git", ".next", ".heard", "data", "screens", "test-results"];

/** Copies this checkout, with what is installed and without what was built, into a new folder. Returns its path; remove it in the end. */
export function copyCheckout(): string {
  // Hard links: a copy of everything that is installed would take longer than what it is made for.
  const linkable = [tmpdir(), resolve("..")].find(canLinkFrom);
  const copy = mkdtempSync(join(linkable ?? tmpdir(), "heard-copy-"));
  cpSync(".", copy, { recursive: true, filter: (path) => !NOT_COPIED.includes(relative(".", path).split("/")[0] ?? "") });
  execFileSync("cp", [linkable ? "-al" : "-a", "node_modules", copy]);
  return copy;
}

/** Whether `folder` may be written, and is on the file system that this checkout is on: temporary files often are on another. */
function canLinkFrom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return statSync(folder).dev === statSync(".").dev;
  } catch {
    return false;
  }
}
