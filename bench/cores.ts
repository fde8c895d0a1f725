import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { processesOf } from "./processes.ts";

/** Cores as Linux lists them, such as `0-3,7` (`Cpus_allowed_list`, proc_pid_status(5)). */
type CoreList = string;

/**
 * Confines these processes, this one and PostgreSQL's, with what they start meanwhile, to the same two cores, as on a machine that has no more.
 * The function that it returns, and this process's end, give each back what it had, and what was started since what its parent had.
 * @throws Error where one of another user may not be confined
 */
export function confineToTwoCores(pids: number[]): () => void {
  const confined = () => [process.pid, ...pids, ...processesOf("postgres")];
  const before = new Map(confined().map((pid) => [pid, allowedTo(pid)]));
  const two = coresIn(allowedTo(process.pid)).slice(0, 2);
  const release = () => {
    process.off("exit", release);
    for (const pid of confined()) {
      const cores = before.get(pid) ?? before.get(Number(statusOf(pid, "PPid")));
      if (cores && cores !== allowedTo(pid)) allow(pid, cores);
    }
  };
  process.on("exit", release);
  // Without a listener they end a process before it hears of its exit.
  process.once("SIGINT", () => process.exit(130)).once("SIGTERM", () => process.exit(143));
  for (const [pid, cores] of before) if (coresIn(cores).some((core) => !two.includes(core))) allow(pid, two.join(","));
  return release;
}

function allowedTo(pid: number): CoreList {
  return statusOf(pid, "Cpus_allowed_list");
}

/** Nothing once the process has ended. */
function statusOf(pid: number, field: string): string {
  try {
    return new RegExp(`^${field}:\\s*(.+)$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "";
  } catch {
    return "";
  }
}

function coresIn(list: CoreList): number[] {
  return list.split(",").flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 || 0 }, (_, index) => first + index);
  });
}

/** `taskset` of util-linux, for all of a process's threads. */
function allow(pid: number, cores: CoreList): void {
  try {
    execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", cores, String(pid)], { stdio: "pipe" });
  } catch (error) {
    if (allowedTo(pid) === "") return;
    throw new Error(`Process ${pid} may not be confined to cores ${cores}: run the bench as root, or as PostgreSQL's user.`, { cause: error });
  }
}
