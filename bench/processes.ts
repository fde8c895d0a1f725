import { readdirSync, readFileSync } from "node:fs";

/** Linux counts a process's time in hundredths of a second (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

/** The processes of this machine whose program is called `name`. */
export function processesOf(name: string): number[] {
  const all = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  return all.filter((pid) => readOf(pid, "comm").trim() === name).map(Number);
}

/** Begins to measure; the function that it returns tells, in words, which share of one core each group of processes has used since. */
export function cpuShares(groups: Record<string, number[]>): () => string {
  const used = (pids: number[]) => pids.reduce((sum, pid) => sum + ticksOf(pid), 0);
  const before = Object.fromEntries(Object.entries(groups).map(([name, pids]) => [name, used(pids)]));
  const startedAt = performance.now();
  return () => {
    const ticks = ((performance.now() - startedAt) / 1000) * TICKS_PER_SECOND;
    const shares = Object.entries(groups).map(([name, pids]) => `${name} ${Math.round(((used(pids) - (before[name] ?? 0)) / ticks) * 100)} %`);
    return shares.join(", ");
  };
}

/** What a process has used in its own code and in the kernel's: fields 14 and 15 of its `stat` (proc(5)); none once it has ended. */
function ticksOf(pid: number): number {
  const fields = readOf(String(pid), "stat")
    .replace(/^.*\) /, "")
    .split(" ");
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

function readOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
