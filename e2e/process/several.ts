import { readdirSync, readFileSync } from "node:fs";
import { expect, inject, onTestFinished, vi } from "vitest";
import { startSite, type TestSite } from "../site.ts";
import { workersOf } from "./connections.ts";
import { METRICS_TOKEN } from "./figures.ts";

/** A site that two processes serve, for the length of a test. */
export async function aSiteOfTwo(): Promise<TestSite> {
  const site = await startSite({ template: inject("databaseTemplate"), env: { WORKERS: "2", METRICS_TOKEN } });
  onTestFinished(site.remove);
  await allServe(site);
  return site;
}

/** Waits until the log has said `what` so often. */
export async function untilLogged(site: Pick<TestSite, "logs">, what: string, times = 1): Promise<void> {
  await vi.waitFor(() => expect(site.logs().split(what)).toHaveLength(times + 1), { timeout: 60_000, interval: 100 });
}

/** Waits until all serve, after the start or, the second time, after one was replaced. */
export function allServe(site: Pick<TestSite, "logs">, times = 1): Promise<void> {
  return untilLogged(site, "every server process serves", times);
}

/** The process that begins to get ready on SIGHUP, as soon as it runs: stopped before that, it would hold up the one that starts it. */
export async function freshOneOf(site: TestSite): Promise<number> {
  const former = workersOf(site);
  process.kill(site.pid, "SIGHUP");
  return vi.waitFor(
    () => {
      const [fresh] = workersOf(site).filter((pid) => !former.includes(pid));
      expect(readFileSync(`/proc/${fresh}/environ`, "utf8")).toContain("NODE_UNIQUE_ID");
      return fresh ?? 0;
    },
    { timeout: 20_000, interval: 5 },
  );
}

/** Freezes a process, and waits until it is: one of which a thread still runs hears a signal that ends it. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  await vi.waitFor(
    () => {
      const states = readdirSync(`/proc/${pid}/task`).map((thread) => /\) (\w)/.exec(readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8"))?.[1]);
      expect(new Set(states)).toEqual(new Set(["T"]));
    },
    { timeout: 20_000, interval: 5 },
  );
}
