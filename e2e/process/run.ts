import { spawn, spawnSync } from "node:child_process";
import { NODE_FLAGS } from "#lib/testing/node-flags";
import { scale } from "#lib/testing/scale";
import { emptySettings } from "#lib/testing/settings";

/** How a program ended, and what it said. `ms` is from its start to its end. */
export type Ended = { code: number | null; ms: number; output: string };

const KILL_AFTER_MS = scale(60_000, 900_000);

type Place = {
  /** Where it runs, if not in this checkout. */
  checkout?: string;
  /** A program that runs it, with its arguments. */
  under?: string[];
};

/** Runs one of Heard's scripts with `env` as its only settings until it ends by itself. */
export function runToEnd(script: string, env: Record<string, string>, args: string[] = [], { checkout = ".", under = [] }: Place = {}): Promise<Ended> {
  const startedAt = Date.now();
  const [program = "", ...words] = [...under, process.execPath, ...NODE_FLAGS, script, ...args];
  const child = spawn(program, words, { cwd: checkout, env: { ...process.env, ...emptySettings(), NODE_ENV: "production", ...env } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const timer = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, ms: Date.now() - startedAt, output });
    });
  });
}

/** Whether this user may run a program where there is no network (`unshare -n`). */
export function canUnshare(): boolean {
  return spawnSync("unshare", ["-n", "true"]).status === 0;
}
