import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { findSecrets } from "#lib/testing/secrets";
import { checkSecrets } from "./house-rules/secrets.ts";
import { readSources } from "./house-rules/source.ts";

type Package = { version?: string; license?: string; dev?: boolean; hasInstallScript?: boolean };

const lockfile = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Package> };
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<
  "scripts" | "dependencies" | "devDependencies" | "optionalDependencies",
  Record<string, string>
>;
const production = Object.entries(lockfile.packages).filter(([path, { dev }]) => path !== "" && !dev);

/** Licenses under which a program under MIT may be passed on together with what it uses. */
const ALLOWED = ["MIT", "MIT-0", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0", "CC0-1.0", "Unlicense", "OFL-1.1"];

/** Packages under other licenses, and why they may be used all the same. */
const EXCEPTIONS: [RegExp, string, string][] = [
  [/\/@img\/sharp-libvips-/, "LGPL-3.0-or-later", "a library of its own that is loaded when it is needed, and that whoever wants to can exchange"],
  [/\/@img\/sharp-win32-/, "Apache-2.0 AND LGPL-3.0-or-later", "brings that same library, in a file of its own"],
  [/\/@img\/sharp-wasm32$/, "Apache-2.0 AND LGPL-3.0-or-later AND MIT", "where no other build runs; Heard runs on none of these systems"],
  [/\/lightningcss(-[\w-]+)?$/, "MPL-2.0", "builds the styles, unchanged; nothing of it is in them"],
  [/\/caniuse-lite$/, "CC-BY-4.0", "data that the build asks which browsers know what"],
  [/\/seq-queue$/, "", "its LICENSE file is MIT's"],
  [/\/argparse$/, "PSF-2.0", "the command line of markdown-it, which Heard never calls"],
  [/\/elkjs$/, "EPL-2.0", "drawn in by Prisma's Studio, which Heard never loads"],
];

/** Packages that would like to run a script when they are installed, and why Heard does without. */
const WITH_SCRIPTS: Record<string, string> = {
  prisma: "only looks at the version of Node",
  "@prisma/engines": "downloads engines; Heard migrates with the one compiled to WebAssembly and queries by driver adapters",
  "@swc/core": "looks for a binary, which comes as a package of its own",
  "@parcel/watcher": "builds a binary, which comes as a package of its own",
};

function report(bar: string, measure: string, figure: string | number, ok: boolean): void {
  reportBar({ bar, measure, figure, ok });
}

test("S3: nothing that is installed runs a script, nor needs to", () => {
  const wishing = Object.entries(lockfile.packages).filter(([path, { hasInstallScript }]) => path !== "" && hasInstallScript);
  const unknown = wishing.map(([path]) => path.replace(/^.*node_modules\//, "")).filter((name) => !WITH_SCRIPTS[name]);
  // An image is built by the same rules only if they are there before the packages are.
  const isInImage = /^COPY .*\.npmrc .*\nRUN npm ci/m.test(readFileSync("Dockerfile", "utf8"));
  const isOff = isInImage && /^ignore-scripts=true$/m.test(readFileSync(".npmrc", "utf8"));
  const own = Object.keys(manifest.scripts).filter((name) => /^(pre|post)?(install|prepare|publish|pack)$/.test(name));

  report(
    "S3",
    `packages with an install script, none of which runs; not known to be needless`,
    `${wishing.length}; ${unknown.length}`,
    isOff && unknown.length === 0,
  );
  expect([isOff, unknown, own]).toEqual([true, [], []]);
});

test("S5: npm run sbom lists every package that runs in production, as CycloneDX", () => {
  const bill = JSON.parse(execFileSync(process.execPath, ["scripts/sbom.ts"], { encoding: "utf8", maxBuffer: 2 ** 28 })) as {
    bomFormat: string;
    components: { group?: string; name: string; version: string }[];
  };
  const listed = new Set(bill.components.map(({ group, name, version }) => `${group ? `${group}/` : ""}${name}@${version}`));
  const missing = production.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")}@${version}`).filter((name) => !listed.has(name));

  report("S5", `packages of ${production.length} that the bill of materials lacks`, missing.length, missing.length === 0);
  expect([bill.bomFormat, missing]).toEqual(["CycloneDX", []]);
});

test("S9: no file of the repository, and none that it ever had, holds a secret", () => {
  const findings = checkSecrets(readSources()).map(({ path, line, message }) => `${path}:${line} ${message}`);
  const history = existsSync(".git")
    ? execFileSync("git", ["log", "--all", "-m", "--patch", "--no-color", "--no-ext-diff"], { encoding: "utf8", maxBuffer: 2 ** 30 })
    : "";
  const once = findSecrets(history).map(({ kind, index }) => `${kind}: ${commitAt(history, index)}`);

  report("S9", "secrets in the repository and its history", findings.length + once.length, findings.length + once.length === 0);
  expect([findings, once]).toEqual([[], []]);
});

/** Packages that are built for each system apart, of which the lockfile knows the license of some. */
const BUILDS = /^node_modules\/(?:@next\/swc|@swc\/core|@tailwindcss\/oxide)-/;

/** What the package itself says; of one for another system, which this one does not install, what the lockfile says, of it or of its like for this one. */
function licenseOf(path: string): string {
  if (existsSync(join(path, "package.json"))) return (JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Package).license ?? "";
  const [family] = BUILDS.exec(path) ?? [];
  const like = family && production.find(([other, { license }]) => other.startsWith(family) && license);
  return lockfile.packages[path]?.license ?? (like ? (like[1].license ?? "") : "");
}

test("S11: what runs in production, on whatever system, may be passed on under the MIT license", () => {
  const refused = production.flatMap(([path]) => {
    const license = licenseOf(path);
    const isException = EXCEPTIONS.some(([name, under]) => name.test(path) && under === license);
    return isException || isAllowed(license) ? [] : [`${path}: ${license}`];
  });

  report("S11", `packages of ${production.length} under a license that is not on the list`, refused.length, refused.length === 0);
  expect(refused).toEqual([]);
});

test("docs/dependencies.md tells what each package spares and costs, and whether it is alive", () => {
  const rows = readFileSync("docs/dependencies.md", "utf8").matchAll(/^\| (?!Package|---)(.+?) \| (.+?) \| (\d{4}-\d{2}\b.*?) \| (.+?) \|$/gm);
  const told = [...rows].flatMap(([, names = ""]) => names.split(", "));
  const { dependencies, devDependencies, optionalDependencies } = manifest;

  expect(told.toSorted()).toEqual(Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).toSorted());
});

/** Whether one of the licenses that may be chosen from, with all that go with it, is on the list. */
function isAllowed(expression: string): boolean {
  const choices = expression.replace(/[()]/g, "").split(/ or /i);
  return choices.some((choice) => choice.split(/ and /i).every((license) => ALLOWED.includes(license.trim())));
}

function commitAt(history: string, index: number): string {
  return (
    history
      .slice(0, index)
      .match(/^commit [0-9a-f]{40}/gm)
      ?.at(-1) ?? ""
  );
}
