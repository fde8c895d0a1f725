import { readFileSync, writeFileSync } from "node:fs";

/** What `package-lock.json` keeps of a package, as far as we read or write it. */
export type LockedPackage = {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  license?: string;
  optionalDependencies?: Record<string, string>;
};

export type Lockfile = { packages: Record<string, LockedPackage> };

const OSES = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const CPUS = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "ppc64le", "riscv64", "s390x", "wasm32", "x64"];

/**
 * The optional packages, mostly other platforms' binaries, that the lockfile's packages name and it has no entry for, by the path of that
 * entry. `npm ci` refuses a lockfile without them, and npm leaves out those that the registry it asks does not carry.
 */
export function missingOptionalPackages({ packages }: Lockfile): Record<string, LockedPackage> {
  const missing: Record<string, LockedPackage> = {};
  for (const [path, parent] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      if (findFrom(packages, path, name) || !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) continue;
      const { cpu, libc, os } = platformOf(name);
      // In npm's own order, so that its next run changes nothing.
      missing[`node_modules/${name}`] = { version, cpu, ...(parent.dev && { dev: true }), ...(libc && { libc }), optional: true, ...(os && { os }) };
    }
  }
  return missing;
}

/** Looks a package up as Node does: beside, then above. */
function findFrom(packages: Lockfile["packages"], path: string, name: string): LockedPackage | undefined {
  const entry = packages[path ? `${path}/node_modules/${name}` : `node_modules/${name}`];
  if (entry || path === "") return entry;
  const above = path.lastIndexOf("/node_modules/");
  return findFrom(packages, above < 0 ? "" : path.slice(0, above), name);
}

/** Binary packages are named after what they run on, such as `@next/swc-linux-arm64-musl`. */
function platformOf(name: string): Pick<LockedPackage, "os" | "cpu" | "libc"> {
  const words = name.split(/[@/-]/);
  const os = OSES.find((word) => words.includes(word) || words.includes(`${word}eabi`)) ?? (words.includes("linuxmusl") ? "linux" : undefined);
  const cpu = CPUS.find((word) => words.includes(word));
  const libc = words.some((word) => word.includes("musl")) ? "musl" : "glibc";
  if (!cpu) throw new Error(`Nothing tells which platform ${name} is for: add it to package-lock.json by hand.`);
  return { os: os ? [os] : undefined, cpu: [cpu], libc: os === "linux" ? [libc] : undefined };
}

if (import.meta.main) {
  const lockfile: Lockfile = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const missing = missingOptionalPackages(lockfile);
  const all = Object.entries({ ...lockfile.packages, ...missing });
  const sorted = Object.fromEntries(all.sort(([one], [other]) => one.localeCompare(other, "en")));
  writeFileSync("package-lock.json", `${JSON.stringify({ ...lockfile, packages: sorted }, null, 2)}\n`);
  console.log(`${Object.keys(missing).length} optional packages of other platforms added to package-lock.json.`);
}
