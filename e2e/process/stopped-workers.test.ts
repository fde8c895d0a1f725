import { describe, expect, test, vi } from "vitest";
import { scale } from "#lib/testing/scale";
import type { TestSite } from "../site.ts";
import { workersOf } from "./connections.ts";
import { aSiteOfTwo, freeze, freshOneOf } from "./several.ts";

/** Waits until the processes that serve have heard that all are to stop. */
async function untilStopping(site: TestSite): Promise<void> {
  await vi.waitFor(() => expect(site.logs()).toContain('"stopping"'), { timeout: 20_000, interval: 5 });
}

// The embedded database has one process.
describe.runIf(process.env.TEST_DATABASE_URL)("several processes that are stopped", { timeout: scale(120_000, 900_000) }, () => {
  test("stopped while a fresh process gets ready, all end with 0", async () => {
    const site = await aSiteOfTwo();
    process.kill(site.pid, "SIGHUP");
    await vi.waitFor(() => expect(workersOf(site)).toHaveLength(3), { timeout: 20_000 });

    expect(await site.stop()).toBe(0);
    expect(site.logs()).not.toContain("did not get ready");
  });

  test("stopped while a fresh process gets ready that is too busy to hear it, all end with 0, and soon", async () => {
    const site = await aSiteOfTwo();
    await freeze(await freshOneOf(site));

    const toldAt = performance.now();
    expect(await site.stop()).toBe(0);
    // One that serves would have been waited for for longer.
    expect(performance.now() - toldAt).toBeLessThan(9_000);
    expect(site.logs()).not.toContain("does not end, and is killed");
    expect(site.logs()).toContain("a server process was killed before it was ready");
  });

  test("one that is killed by somebody else while all stop ends the start with 1, and the log says why: a ready one, and one that gets ready", async () => {
    const site = await aSiteOfTwo();
    const [victim = 0] = workersOf(site);
    await freeze(victim);
    const stopped = site.stop();
    await untilStopping(site);
    process.kill(victim, "SIGKILL");
    expect(await stopped).toBe(1);
    expect(site.logs()).toContain("a server process was to end, and did not end cleanly");

    const other = await aSiteOfTwo();
    const fresh = await freshOneOf(other);
    await freeze(fresh);
    const otherStopped = other.stop();
    await untilStopping(other);
    process.kill(fresh, "SIGKILL");
    expect(await otherStopped).toBe(1);
    expect(other.logs()).toContain("a server process was killed before it was ready");
  });

  test("stopped by a terminal's Ctrl-C, which every process gets, while a fresh one gets ready, all end with 0", async () => {
    const site = await aSiteOfTwo();
    process.kill(site.pid, "SIGHUP");
    await vi.waitFor(() => expect(workersOf(site)).toHaveLength(3), { timeout: 20_000, interval: 5 });

    for (const pid of [...workersOf(site).toReversed(), site.pid]) process.kill(pid, "SIGINT");

    expect(await site.stop()).toBe(0);
  });
});
