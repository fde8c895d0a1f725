import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { BootstrapError } from "./fail.mjs";

/**
 * The Node that runs Heard: the one installed with it, else the running one if that can run TypeScript as it is.
 * @param {string} root
 * @returns {string} a path
 * @throws BootstrapError where there is neither
 */
export function findNode(root) {
  const installed = join(root, "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");
  if (existsSync(installed) && spawnSync(installed, ["--version"]).status === 0) return installed;
  if (canRunHeard()) return process.execPath;
  throw new BootstrapError(
    `Heard runs on Node 24. On Linux (x64 or arm64, glibc) it brings its own; for ${process.platform} on ${process.arch} there is none, ` +
      `and the Node here is ${process.version}. Install Node 24.9 or newer (https://nodejs.org), then try again.`,
  );
}

/** Runs TypeScript without a flag, and knows `shouldUpgradeCallback` (Node 22.21 and 24.9), without which requests for another protocol would go past Heard's own server. */
function canRunHeard() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isNewEnough = major > 24 || (major === 24 && minor >= 9) || (major === 22 && minor >= 21);
  return isNewEnough && "typescript" in process.features && process.features.typescript === "strip";
}
