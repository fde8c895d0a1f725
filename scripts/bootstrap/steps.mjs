import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { asWriteError, BootstrapError } from "./fail.mjs";
import { findNode } from "./node.mjs";
import { runQuietly } from "./run.mjs";

/**
 * One thing that must have happened before Heard runs. It is done when the fingerprint of what goes into it equals the one in its stamp.
 * @typedef {object} Step
 * @property {string} label what the progress line says
 * @property {(root: string) => boolean} isDone
 * @property {(root: string) => Promise<void>} run
 */

/** Root files that do not change what is built. */
const NOT_BUILT = new Set(["biome.json", "knip.json", "playwright.config.ts", "vitest.config.ts", "prisma.config.ts", "next-env.d.ts"]);
const BUILT_FOLDERS = ["app", "components", "emails", "lib", "messages", "prisma/migrations", "public", "server"];

/** An explicit compile hint for a whole file (v8.dev/blog/explicit-compile-hints); to other engines a comment. */
const COMPILE_HINT = "//# allFunctionsCalledOnLoad";

/** Of what only saves seconds. On a busy machine it takes some ten. */
const FIRST_START_LIMIT_MS = 120_000;

const NOT_REACHED = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT/;

/** @type {Step} */
export const install = {
  label: "Installing packages",
  isDone(root) {
    if (readStamp(installStamp(root)) === installFingerprint(root)) return true;
    if (!hasInstalledByHand(root)) return false;
    writeStampIfPossible(installStamp(root), installFingerprint(root));
    return true;
  },
  async run(root) {
    rmSync(installStamp(root), { force: true });
    const fingerprint = installFingerprint(root);
    const [command, ...first] = npm();
    // Explicit, because NODE_ENV=production or a machine's npm settings would leave out what `npm start` and `npm test` need.
    const result = await runQuietly(command, [...first, "ci", "--include=dev", "--include=optional"], { cwd: root });
    if (result.code !== 0) throw installError(result.output, root);
    writeStamp(installStamp(root), fingerprint);
  },
};

/** @type {Step} */
export const generate = {
  label: "Generating the database client",
  isDone: (root) => readStamp(generateStamp(root)) === generateFingerprint(root),
  async run(root) {
    const fingerprint = generateFingerprint(root);
    rmSync(generateStamp(root), { force: true });
    const node = findNode(root);
    // Generating needs no schema engine, but the CLI would download one: any file that exists keeps it from that.
    const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: node, PRISMA_HIDE_UPDATE_MESSAGE: "1", CHECKPOINT_DISABLE: "1" };
    const result = await runQuietly(node, [join(root, "node_modules/prisma/build/index.js"), "generate"], { cwd: root, env });
    if (result.code !== 0)
      throw new BootstrapError("The database client could not be generated from prisma/schema.prisma; the reason is above.", { details: result.output });
    writeStamp(generateStamp(root), fingerprint);
  },
};

/** @type {Step} */
export const build = {
  label: "Building",
  isDone: (root) => existsSync(join(buildFolder(root), "BUILD_ID")) && readStamp(buildStamp(root)) === buildFingerprint(root),
  async run(root) {
    const fingerprint = buildFingerprint(root);
    const before = setOwnAssetsAside(root);
    rmSync(buildStamp(root), { force: true });
    const env = {
      ...process.env,
      ...SAME_IN_EVERY_BUILD,
      NODE_ENV: /** @type {const} */ ("production"),
      NEXT_TELEMETRY_DISABLED: "1",
      HEARD_BUILD_ID: fingerprint,
    };
    const noDatabase = { DATABASE_URL: "", DATA_DIR: join(root, ".heard/no-database") };
    rmSync(noDatabase.DATA_DIR, { recursive: true, force: true });
    const result = await runQuietly(findNode(root), [join(root, "node_modules/next/dist/bin/next"), "build"], { cwd: root, env: { ...env, ...noDatabase } });
    if (result.code !== 0) throw new BootstrapError("Heard could not be built; the reason is above.", { details: result.output });
    if (existsSync(noDatabase.DATA_DIR)) throw new BootstrapError("A page reads the database before anybody asks for it: in the build, where there is none.");
    compileWhileLoading(root);
    writeFileSync(ownAssetsFile(root), JSON.stringify(filesBelow(buildFolder(root), "static")));
    cpSync(before, buildFolder(root), { recursive: true, force: false });
    rmSync(before, { recursive: true });
    await prepareFirstStart(root);
    writeStamp(buildStamp(root), fingerprint);
  },
};

/**
 * Takes from the first start what would cost it seconds. It does without where this fails.
 * @param {string} root
 */
async function prepareFirstStart(root) {
  // What another build's code was compiled to is of no more use. A start by another user may have left some that this one may not remove.
  try {
    rmSync(compiledCode(root), { recursive: true, force: true });
  } catch {}
  // None of the owner's settings: they may name a database in use.
  const { PATH, TMPDIR } = process.env;
  const env = { PATH, TMPDIR, NODE_ENV: /** @type {const} */ ("production"), NEXT_TELEMETRY_DISABLED: "1", NODE_COMPILE_CACHE: compiledCode(root) };
  const { code, output } = await runQuietly(findNode(root), [join(root, "scripts/first-start.ts")], { cwd: root, env, limitMs: FIRST_START_LIMIT_MS });
  if (code !== 0) process.stderr.write(`${output.trimEnd()}\n… The first start could not be prepared: it takes some seconds more\n`);
}

/**
 * What a browser tab sends that was opened before a new version came has to mean the same to it: actions are called by a hash that this salts. What the
 * key would seal is sealed by a secret one (lib/secrets.ts).
 */
const SAME_IN_EVERY_BUILD = { NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: createHash("sha256").update("Heard's actions").digest("base64") };

/**
 * Marks the scripts that every page runs: V8 compiles them beside the page's own thread while they load, instead of in it, function by function, when they run
 * (docs/decisions/0027-compiled-while-loading.md).
 * @param {string} root
 */
function compileWhileLoading(root) {
  /** @type {{ rootMainFiles: string[] }} */
  const { rootMainFiles } = JSON.parse(readFileSync(join(buildFolder(root), "build-manifest.json"), "utf8"));
  for (const path of rootMainFiles.map((file) => join(buildFolder(root), file))) writeFileSync(path, `${COMPILE_HINT}\n${readFileSync(path, "utf8")}`);
}

/**
 * Copies what browsers loaded of the build that is there: a tab opened before may ask for more of it. What that one had kept of its own predecessor is not.
 * @param {string} root
 * @returns {string} a folder with the paths that it has below the build's
 */
function setOwnAssetsAside(root) {
  const aside = join(root, ".heard/assets");
  const own = readOwnAssets(root);
  // After a build that did not end there is no list, and what was set aside before it is still here.
  if (own.length > 0) rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  for (const path of own) if (existsSync(join(buildFolder(root), path))) cpSync(join(buildFolder(root), path), join(aside, path));
  return aside;
}

/**
 * @param {string} root
 * @returns {string[]} paths below the build's folder; none where no build ended
 */
function readOwnAssets(root) {
  try {
    return JSON.parse(readFileSync(ownAssetsFile(root), "utf8"));
  } catch {
    return [];
  }
}

const installStamp = (/** @type {string} */ root) => join(root, "node_modules/.heard-installed");
const generateStamp = (/** @type {string} */ root) => join(root, "prisma/generated/.heard-generated");
const buildFolder = (/** @type {string} */ root) => join(root, ".next");
const ownAssetsFile = (/** @type {string} */ root) => join(buildFolder(root), ".heard-assets.json");
const buildStamp = (/** @type {string} */ root) => join(buildFolder(root), ".heard-built");

/**
 * Where Node keeps what it compiled the server's code to.
 * @param {string} root
 */
export function compiledCode(root) {
  return join(root, ".heard/compiled");
}

/** @param {string} root */
function installFingerprint(root) {
  return fingerprintOf(root, ["package-lock.json"], `${process.platform} ${process.arch}`);
}

/** @param {string} root */
function generateFingerprint(root) {
  return fingerprintOf(root, ["package-lock.json", "prisma.config.ts", "prisma/schema.prisma"]);
}

/** @param {string} root */
function buildFingerprint(root) {
  const top = readdirSync(root).filter((name) => /\.(ts|mjs|json)$/.test(name) && !NOT_BUILT.has(name));
  const below = BUILT_FOLDERS.flatMap((folder) => filesBelow(root, folder));
  return fingerprintOf(root, [...top, "prisma/schema.prisma", "scripts/bootstrap/steps.mjs", ...below].sort());
}

/**
 * Every file below `folder` that can be part of a build, as paths from `root`.
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "testing" ? [] : filesBelow(root, path);
    return /\.test\.tsx?$/.test(entry.name) ? [] : [path];
  });
}

/**
 * @param {string} root
 * @param {string[]} paths
 * @param {string} [more]
 */
function fingerprintOf(root, paths, more = "") {
  const hash = createHash("sha256").update(more);
  for (const path of paths) {
    const content = readFileSync(join(root, path));
    hash.update(`\0${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** @param {string} path */
function readStamp(path) {
  return existsSync(path) ? readFileSync(path, "utf8").trim() : "";
}

/**
 * @param {string} path
 * @param {string} fingerprint
 */
function writeStamp(path, fingerprint) {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${fingerprint}\n`);
  } catch (error) {
    throw asWriteError(error, dirname(path));
  }
}

/**
 * @param {string} path
 * @param {string} fingerprint
 */
function writeStampIfPossible(path, fingerprint) {
  try {
    writeStamp(path, fingerprint);
  } catch {
    // A read-only checkout starts as well; it only compares the lockfiles again next time.
  }
}

/**
 * Whether somebody ran npm here and node_modules holds what the lockfile names: npm writes its own copy of it there when it has finished.
 * @param {string} root
 */
function hasInstalledByHand(root) {
  try {
    const wanted = lockedPackages(join(root, "package-lock.json"));
    const present = lockedPackages(join(root, "node_modules/.package-lock.json"));
    const isSame = (/** @type {string} */ path) => wanted[path]?.version === present[path]?.version && wanted[path]?.integrity === present[path]?.integrity;
    const isLeftOut = (/** @type {string} */ path) => !present[path] && Boolean(wanted[path]?.optional || wanted[path]?.devOptional);
    const runtime = `node_modules/node-${process.platform}-${process.arch}`;
    const hasRuntime = !wanted[runtime] || Boolean(present[runtime]);
    return hasRuntime && Object.keys(present).every(isSame) && Object.keys(wanted).every((path) => path === "" || isSame(path) || isLeftOut(path));
  } catch {
    return false;
  }
}

/**
 * @param {string} path
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }>}
 */
function lockedPackages(path) {
  return JSON.parse(readFileSync(path, "utf8")).packages;
}

/**
 * The npm that runs us, with the Node that runs it; else the one on the PATH.
 * @returns {[string, ...string[]]}
 */
export function npm() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  return cli && node && basename(cli) === "npm-cli.js" ? [node, cli] : ["npm"];
}

/**
 * @param {string} output
 * @param {string} root
 */
function installError(output, root) {
  const told = { details: output };
  if (NOT_REACHED.test(output)) {
    return new BootstrapError("npm could not reach its registry to install Heard's packages. Check the network or npm's proxy settings, then try again.", told);
  }
  if (/EACCES|EPERM|EROFS/.test(output))
    return new BootstrapError(`npm may not write to ${join(root, "node_modules")} or to its own cache. Give this user the right, then try again.`, told);
  if (/ENOSPC/.test(output)) return new BootstrapError(`The disk that holds ${root} is full. Make room, then try again.`, told);
  return new BootstrapError("npm could not install Heard's packages; what it said is above.", told);
}
