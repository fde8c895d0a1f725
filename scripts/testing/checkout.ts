import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

// What the bootstrap calls, made small: each notes that it ran. Next's builds as long as BUILD_SECONDS says, with a helper process as the real one has.
const PRISMA = `
  import { appendFileSync, mkdirSync } from "node:fs";
  mkdirSync("prisma/generated", { recursive: true });
  appendFileSync("ran.log", "generate\\n");`;
const NEXT = `
  import { spawn } from "node:child_process";
  import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
  appendFileSync("ran.log", "build\\n");
  const helper = spawn("sleep", [process.env.BUILD_SECONDS || "0"], { stdio: "ignore" });
  appendFileSync("pids.log", process.pid + "\\n" + helper.pid + "\\n");
  if (process.env.BUILD_IS_DEAF) {
    process.on("SIGTERM", () => {});
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  }
  await new Promise((resolve) => helper.once("close", resolve));
  if (process.env.BUILD_FAILS) {
    console.error("the reason it fails");
    process.exit(1);
  }
  mkdirSync(".next/static", { recursive: true });
  writeFileSync(".next/static/main.js", "run()");
  writeFileSync(".next/build-manifest.json", JSON.stringify({ rootMainFiles: ["static/main.js"] }));
  writeFileSync(".next/BUILD_ID", "1");`;
const SERVER = `
  import { appendFileSync, writeFileSync } from "node:fs";
  appendFileSync("pids.log", process.pid + "\\n");
  process.once("disconnect", () => process.exit(0));
  const timer = setInterval(() => {}, 1000);
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => {
    if (isStopping) return;
    isStopping = true;
    clearInterval(timer);
    console.log("closed by " + signal);
    setTimeout(() => process.exit(0), 200);
  });
  process.on("SIGHUP", () => console.log("hung up"));
  writeFileSync("bootstrap.pid", String(process.ppid));
  writeFileSync("compiled.txt", process.env.NODE_COMPILE_CACHE ?? "");
  console.log("ready " + process.env.NODE_ENV + " " + process.env.FROM_FILE + " " + process.env.MAIL);`;

// It notes what it was handed.
const FIRST_START = `
  import { mkdirSync, writeFileSync } from "node:fs";
  mkdirSync(".heard", { recursive: true });
  writeFileSync(".heard/first-start.json", JSON.stringify(process.env));`;

const WORK = `
  console.log("ready");
  setTimeout(() => console.log("done"), 60_000);`;

/** A checkout in miniature with the real bootstrap in it: no packages from elsewhere, and stand-ins for Prisma, Next and the server. */
export type Checkout = {
  path: string;
  /** Which steps ran so far: `generate`, `build`. */
  ran(): string[];
  write(path: string, text: string): void;
  has(path: string): boolean;
  /** Runs `npm start`, or another of its scripts, and waits for `until` in what it says, or for its end. `work` is a command that takes its time. */
  start(options?: StartOptions): Promise<Start>;
  /** Every process that the stand-ins noted and that still runs. */
  survivors(): number[];
  remove(): void;
};

type StartOptions = { script?: "start" | "work"; env?: Record<string, string>; until?: string; uid?: number };
export type Start = { pid: number; said(): string; ended: Promise<number | null>; kill(signal: NodeJS.Signals): void };

/** Makes one in a folder of its own. Remove it in the end. */
export function makeCheckout(): Checkout {
  const path = mkdtempSync(join(tmpdir(), "heard-checkout-"));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  write("fakes/prisma/package.json", JSON.stringify({ name: "prisma", version: "1.0.0", type: "module" }));
  write("fakes/prisma/build/index.js", PRISMA);
  write("fakes/next/package.json", JSON.stringify({ name: "next", version: "1.0.0", type: "module" }));
  write("fakes/next/dist/bin/next", NEXT);
  write(
    "package.json",
    JSON.stringify({
      name: "heard",
      type: "module",
      scripts: { start: "exec node scripts/start.mjs", work: "exec node scripts/run.mjs scripts/work.ts" },
      dependencies: { next: "file:fakes/next", prisma: "file:fakes/prisma" },
    }),
  );
  write("prisma.config.ts", "");
  write("prisma/schema.prisma", "");
  write("app/page.tsx", "");
  write("front/main.ts", SERVER);
  write("scripts/check-env.ts", `if (process.env.PORT === "wrong") { console.error("PORT must be a port number"); process.exit(1); }`);
  write("scripts/first-start.ts", FIRST_START);
  write("scripts/work.ts", WORK);
  for (const file of ["scripts/start.mjs", "scripts/run.mjs", "front/terminal.mjs"]) cpSync(file, join(path, file));
  cpSync("scripts/bootstrap", join(path, "scripts/bootstrap"), { recursive: true, filter: (name) => !name.endsWith(".ts") });
  execFileSync("npm", ["install", "--package-lock-only", "--offline", "--no-audit", "--no-fund"], { cwd: path, stdio: "ignore" });
  const lines = (name: string) => (existsSync(join(path, name)) ? readFileSync(join(path, name), "utf8").split("\n").filter(Boolean) : []);
  return {
    path,
    write,
    ran: () => lines("ran.log"),
    has: (name) => existsSync(join(path, name)),
    start: (options) => start(path, options),
    survivors: () => lines("pids.log").map(Number).filter(isRunning),
    remove: () => {
      for (const folder of [path, `${path}-home`]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(cwd: string, { script = "start", env = {}, until = "ready", uid }: StartOptions = {}): Promise<Start> {
  // npm keeps logs and a cache in its user's home.
  const home = `${cwd}-home`;
  mkdirSync(home, { recursive: true });
  if (uid !== undefined) chownSync(home, uid, uid);
  const user = uid === undefined ? {} : { HOME: home, npm_config_cache: home };
  const child = spawn("npm", ["run", script], { cwd, env: { ...outsideNpm(), ...user, ...env }, uid, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text) => (said += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  while (!said.includes(until) && isOpen(child)) await sleep(20);
  return { pid: child.pid as number, said: () => said, ended, kill: (signal) => child.kill(signal) };
}

/** The environment as it is before any npm script runs, and without Vitest's. */
function outsideNpm(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV$|NODE_OPTIONS$)/.test(name));
  return { ...Object.fromEntries(kept), NODE_ENV: undefined } as unknown as NodeJS.ProcessEnv;
}

function isOpen(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
