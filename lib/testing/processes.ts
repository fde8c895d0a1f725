import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { NODE_FLAGS } from "./node-flags.ts";

/** A program of `programs/`, running. `lines` grows by what it says on standard output. */
export type Program = {
  child: ChildProcess;
  lines: string[];
  /** Resolves with the first line, said or yet to come, that begins with `start`; rejects if the program ends without it. */
  says(start: string): Promise<string>;
  ended: Promise<{ code: number | null; errors: string }>;
  kill(signal?: NodeJS.Signals): Promise<void>;
};

/** Starts `programs/<name>.ts` with `settings` in its environment. `under` is what runs it, such as strace. */
export function startProgram(name: string, settings: Record<string, string>, { args = [], under = [] }: { args?: string[]; under?: string[] } = {}): Program {
  const [command = "", ...rest] = [...under, process.execPath, ...NODE_FLAGS, `lib/testing/programs/${name}.ts`, ...args];
  const child = spawn(command, rest, { env: { ...process.env, DATABASE_URL: "", ...settings }, stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  output.on("line", (line) => lines.push(line));
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, errors }));
  return {
    child,
    lines,
    ended,
    async says(start) {
      const isIt = (line: string) => line.startsWith(start);
      const failed = ended.then(({ errors }) => lines.find(isIt) ?? Promise.reject(new Error(`The program ended without saying "${start}": ${errors}`)));
      for (;;) {
        const line = lines.find(isIt);
        if (line !== undefined) return line;
        const late = await Promise.race([once(output, "line").then(() => undefined), failed]);
        if (late !== undefined) return late;
      }
    },
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      await ended;
    },
  };
}
