import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { openGate } from "#lib/testing/gate";
import { scale } from "#lib/testing/scale";
import { startServer } from "../server.ts";
import { startSite, type TestSite } from "../site.ts";
import { ask, LIVE, workersOf } from "./connections.ts";
import { allServe, aSiteOfTwo, freeze, freshOneOf, untilLogged } from "./several.ts";

/** Waits until the processes that serve have heard that all are to stop. */
async function untilStopping(site: TestSite): Promise<void> {
  await vi.waitFor(() => expect(site.logs()).toContain('"stopping"'), { timeout: 20_000, interval: 5 });
}

// The embedded database has one process.
describe.runIf(process.env.TEST_DATABASE_URL)("several processes that are stopped, or cannot be started", { timeout: scale(120_000, 900_000) }, () => {
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

  test("where the system starts no more processes those that run go on, and one that ends is replaced when it does again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "heard-e2e-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [node, away] = [join(folder, "node"), join(folder, "away")];
    copyFileSync(process.execPath, node);
    // Runs the copy in place of what `startServer` names behind it.
    const under = ["sh", "-c", 'node=$1; shift 2; exec "$node" "$@"', "sh", node];
    const site = await startSite({ template: inject("databaseTemplate"), env: { WORKERS: "2" }, under });
    onTestFinished(site.remove);
    await allServe(site);
    renameSync(node, away);

    process.kill(site.pid, "SIGHUP");
    await untilLogged(site, "a fresh server process did not get ready: those that run go on");
    process.kill(workersOf(site)[0] ?? 0, "SIGKILL");
    await vi.waitFor(() => expect(site.logs().split("a server process could not be started").length).toBeGreaterThan(2), { timeout: 20_000, interval: 50 });

    expect((await ask(site.url, LIVE)).status).toBe(200);
    renameSync(away, node);
    await allServe(site, 2);
    expect(await site.stop()).toBe(0);
  });

  test("one that finds the database away is tried again, and the log stays one of JSON lines", { timeout: 90_000 }, async () => {
    const gate = await openGate(new URL(process.env.TEST_DATABASE_URL ?? ""));
    const site = await startServer({ template: inject("databaseTemplate"), through: gate.port, env: { WORKERS: "2" } });
    onTestFinished(site.remove);
    await allServe(site);

    gate.shut();
    process.kill(workersOf(site)[0] ?? 0, "SIGKILL");
    await untilLogged(site, "a server process could not get ready");
    await gate.open();
    await allServe(site, 2);

    expect(site.logLines().filter((line) => !line.startsWith("{"))).toEqual([]);
    expect(await site.stop()).toBe(0);
  });
});
