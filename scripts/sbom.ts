import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { readArguments } from "./arguments.ts";
import { npm } from "./bootstrap/steps.mjs";

type Manifest = { devDependencies?: unknown };
type Lockfile = { packages: Record<string, { dev?: boolean; devDependencies?: unknown }> };

/** `npm run sbom --silent`: the bill of materials of what runs in production, as CycloneDX, on standard output. Asks no registry. */
function printBill(): number {
  const folder = mkdtempSync(join(tmpdir(), "heard-sbom-"));
  try {
    // Told to leave out what is for development, npm leaves out what production shares with it, too: so it is shown nothing else.
    const { devDependencies: _, ...manifest } = readJson<Manifest>("package.json");
    const lockfile = readJson<Lockfile>("package-lock.json");
    const packages = Object.fromEntries(Object.entries(lockfile.packages).filter(([, { dev }]) => !dev));
    delete packages[""]?.devDependencies;
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ ...lockfile, packages }));
    const [command, ...first] = npm();
    const args = [...first, "sbom", "--sbom-format=cyclonedx", "--package-lock-only", "--loglevel=error"];
    return spawnSync(command, args, { cwd: folder, stdio: "inherit" }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readJson<Content>(path: string): Content {
  return JSON.parse(readFileSync(path, "utf8")) as Content;
}

readArguments({});
process.exitCode = printBill();
