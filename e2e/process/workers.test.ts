import { cpSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { isFullScale, scale } from "#lib/testing/scale";
import { copyCheckout } from "#scripts/testing/copy";
import { startServer } from "../server.ts";
import { setUpSite, startSite, type TestSite } from "../site.ts";
import { ask, beginBoard, connectionsTo, connectionsToEach, LIVE, workersOf } from "./connections.ts";
import { METRICS_TOKEN, readFigures } from "./figures.ts";
import { runToEnd } from "./run.ts";
import { allServe, aSiteOfTwo, untilLogged } from "./several.ts";

const template = inject("databaseTemplate");
const PER_SECOND = scale(30, 100);
/** The share of them that has to be reached: the last may be due while this process is held up. */
const KEEPS_UP = 0.98;
const ROLLS = scale(1, 10);
const WRITES = scale(50, 1_000);
const GIVEN_UP = "The other processes of this start are too busy to answer.";
/** Longer than anybody waits for an answer before it is said that none came. */
const LINES_COME_WITHIN_MS = 1_500;

/** Waits until fresh processes have taken over from all. */
const tookOver = (site: Pick<TestSite, "logs">, times = 1) => untilLogged(site, "fresh server processes have taken over", times);

/** Asks so often a second, on connections that stay and on new ones by turns, until `done`; returns how many were asked, how many a second that were, and what went wrong. */
async function loadUntil(site: TestSite, done: Promise<unknown>): Promise<{ asked: number; perSecond: number; failed: string[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const pending: Promise<void>[] = [];
  const failed: string[] = [];
  // An odd number, so that each is asked on both kinds of connections.
  const paths = ["/", "/api/v1/boards", "/api/v1/users/me", "/api/health/live", "/api/health/ready"];
  let isDone = false;
  void done.finally(() => {
    isDone = true;
  });
  const startedAt = performance.now();
  for (let asked = 0; ; asked++) {
    // By when each is due: what asking itself takes is not to make it fewer.
    await sleep(Math.max(0, startedAt + (asked * 1000) / PER_SECOND - performance.now()));
    if (isDone) {
      const perSecond = (asked * 1000) / (performance.now() - startedAt);
      await Promise.all(pending);
      agent.destroy();
      return { asked, perSecond, failed };
    }
    const path = paths[asked % paths.length] ?? "/";
    const asking = ask(site.url, path, { token: path === "/" ? undefined : site.owner.authToken, agent: asked % 2 ? agent : undefined });
    pending.push(
      asking.then(
        ({ status }) => void (status !== 200 && failed.push(`${path}: ${status}`)),
        (error: Error) => void failed.push(`${path}: ${error.message}`),
      ),
    );
  }
}

// The embedded database has one process.
describe.runIf(process.env.TEST_DATABASE_URL)("several processes", { timeout: scale(120_000, 900_000) }, () => {
  test("O3: on SIGHUP fresh processes take over, and no request fails", async () => {
    const site = await aSiteOfTwo();
    const roll = async () => {
      for (let rolled = 0; rolled < ROLLS; rolled++) {
        const former = workersOf(site);
        process.kill(site.pid, "SIGHUP");
        await tookOver(site, rolled + 1);
        expect(workersOf(site).filter((pid) => former.includes(pid))).toEqual([]);
      }
    };

    const { asked, perSecond, failed } = await loadUntil(site, roll());

    reportBar({
      bar: "O3",
      measure: `failed of ${asked} requests at ${perSecond.toFixed(1)}/s while ${ROLLS} times two processes were replaced`,
      figure: failed.length,
      ok: failed.length === 0 && perSecond > PER_SECOND * KEEPS_UP,
    });
    expect(failed).toEqual([]);
    if (isFullScale) expect(perSecond).toBeGreaterThan(PER_SECOND * KEEPS_UP);
    expect(await site.stop()).toBe(0);
  });

  test("O3: what is under way in a process when another takes over from it is answered", async () => {
    const site = await aSiteOfTwo();
    const agents = await connectionsToEach(site);
    const body = JSON.stringify({ name: "Ideas" });
    const begun = agents.map((agent) => beginBoard(site, agent, body.slice(0, 5)));
    process.kill(site.pid, "SIGHUP");
    const answers: number[] = [];
    for (const [index, { end }] of begun.entries()) {
      await untilLogged(site, "another took over", index + 1);
      // Longer than who asks nothing is waited for.
      await sleep(2_000);
      answers.push(await end(body.slice(5)));
    }
    await tookOver(site);

    expect(answers).toEqual([201, 201]);
  });

  test("fresh processes have the settings of the start, whatever was written into .env since", { timeout: scale(240_000, 900_000) }, async () => {
    const checkout = copyCheckout();
    onTestFinished(() => rmSync(checkout, { recursive: true }));
    cpSync(".next", join(checkout, ".next"), { recursive: true, verbatimSymlinks: true });
    const file = join(checkout, ".env");
    writeFileSync(file, "SECURITY_CONTACT=security@example.org\n");
    const env = { WORKERS: "2", SECURITY_CONTACT: undefined, METRICS_TOKEN: undefined };
    const site = await startSite({ template, checkout, env, flags: ["--env-file=.env"] });
    onTestFinished(site.remove);
    await allServe(site);
    const pages = ["/search", "/api/v1/boards?limit=1", "/.well-known/security.txt"];
    const answers = () => Promise.all(pages.map(async (path) => (await ask(site.url, path)).status));
    const before = await answers();

    // Refused wherever it is read.
    writeFileSync(file, "METRICS_TOKEN=short\n");
    process.kill(site.pid, "SIGHUP");
    await tookOver(site);

    expect([before, await answers()]).toEqual([
      [200, 200, 200],
      [200, 200, 200],
    ]);
  });

  test("C12: what one process wrote the next read shows, whichever process answers it", async () => {
    const site = await aSiteOfTwo();
    const { authToken: token } = site.owner;
    const agents = await connectionsToEach(site);
    const stale: string[] = [];
    for (let round = 0; round < WRITES; round++) {
      const title = `Site ${round}`;
      await ask(site.url, "/api/v1/settings/site", { method: "PATCH", json: { title }, token, agent: agents[round % agents.length] });
      const seen = await Promise.all(agents.flatMap((agent) => ["/", "/api/v1/settings/site"].map((path) => ask(site.url, path, { agent }))));
      for (const { status, body } of seen) if (status !== 200 || !body.includes(title)) stale.push(`${title}: ${status}`);
    }

    reportBar({
      bar: "C12",
      measure: `stale reads after ${WRITES} writes, two processes behind one port`,
      figure: stale.length,
      ok: stale.length === 0,
    });
    expect(stale).toEqual([]);
  });

  test("C12: who wrote is answered when the other process knows of it, and without it if that does not answer", async () => {
    const site = await aSiteOfTwo();
    const [first = 0] = workersOf(site);
    const [, agent] = await connectionsToEach(site);
    process.kill(first, "SIGSTOP");
    onTestFinished(() => void process.kill(first, "SIGCONT"));
    const write = async (path: string, method: string) => {
      const startedAt = performance.now();
      const { status } = await ask(site.url, path, { method, json: { name: "Ideas", title: "Ideas" }, token: site.owner.authToken, agent });
      return { status, ms: performance.now() - startedAt };
    };
    const timesGivenUp = () => site.logs().split(GIVEN_UP).length - 1;

    // The one is a statement of its own, the other a transaction.
    const alone = await write("/api/v1/settings/site", "PATCH");
    const aloneAtLength = await write("/api/v1/boards", "POST");
    await sleep(LINES_COME_WITHIN_MS);
    const givenUp = timesGivenUp();
    const writing = write("/api/v1/settings/site", "PATCH");
    await sleep(200);
    process.kill(first, "SIGCONT");
    const together = await writing;

    expect([alone.status, aloneAtLength.status, together.status]).toEqual([200, 201, 200]);
    expect(Math.min(alone.ms, aloneAtLength.ms)).toBeGreaterThan(900);
    expect(together.ms).toBeGreaterThan(190);
    await sleep(LINES_COME_WITHIN_MS);
    expect(givenUp).toBeGreaterThanOrEqual(2);
    expect(timesGivenUp()).toBe(givenUp);
  });

  test("a process that is killed is replaced, and its sibling answers meanwhile", async () => {
    const site = await aSiteOfTwo();
    const former = workersOf(site);
    const [victim = 0] = former;
    process.kill(victim, "SIGKILL");
    await vi.waitFor(() => expect(workersOf(site)).not.toContain(victim));
    const meanwhile = await ask(site.url, "/api/v1/boards");
    await allServe(site, 2);

    expect(workersOf(site)).toHaveLength(2);
    expect(meanwhile.status).toBe(200);
    expect(site.logs()).toContain("a server process ended by itself");
  });

  test("what waited for a process that is killed is answered by its sibling", async () => {
    const site = await aSiteOfTwo();
    const [victim = 0, sibling = 0] = workersOf(site);
    for (const pid of [victim, sibling]) process.kill(pid, "SIGSTOP");
    const asked = Promise.all(Array.from({ length: 10 }, () => ask(site.url, LIVE)));
    await sleep(300);
    process.kill(victim, "SIGKILL");
    process.kill(sibling, "SIGCONT");

    expect((await asked).map(({ status }) => status)).toEqual(Array(10).fill(200));
  });

  test("one that ends while others are replaced is made up for once, and one that hangs is ended", async () => {
    const site = await aSiteOfTwo();
    const former = workersOf(site);
    process.kill(site.pid, "SIGHUP");
    await vi.waitFor(() => expect(site.logs()).toContain("fresh server processes take over"));
    process.kill(former[1] ?? 0, "SIGKILL");
    await tookOver(site);
    expect([workersOf(site).length, workersOf(site).filter((pid) => former.includes(pid))]).toEqual([2, []]);

    const [hanging = 0] = workersOf(site);
    process.kill(hanging, "SIGSTOP");
    process.kill(site.pid, "SIGHUP");
    await tookOver(site, 2);

    expect([workersOf(site).length, workersOf(site).includes(hanging)]).toEqual([2, false]);
    expect(site.logs()).toContain("does not end, and is killed");
  });

  test("to who stays connected, one that another took over from says that the site is ready, until all are stopped", async () => {
    const site = await aSiteOfTwo();
    const [first = 0] = workersOf(site);
    // It answers each of them once more.
    const agents = await connectionsTo(site, first, 8);
    const readiness = async () => JSON.parse((await ask(site.url, "/api/health/ready", { agent: agents.pop() })).body).status;
    process.kill(site.pid, "SIGHUP");
    await vi.waitFor(() => expect(site.logs()).toContain("another took over"), { timeout: 60_000, interval: 10 });

    expect(await readiness()).toBe("ok");
    const stopped = site.stop();
    await vi.waitFor(async () => expect(await readiness()).toBe("stopping"), { timeout: 1_000, interval: 100 });
    expect(await stopped).toBe(0);
  });

  test("O8: the figures are those of all processes together", async () => {
    const site = await aSiteOfTwo();
    const before = (await readFigures(site.url, METRICS_TOKEN)).figure("heard_http_request_duration_seconds_count", { route: LIVE }) ?? 0;
    // One each.
    await connectionsToEach(site);

    const { figure } = await readFigures(site.url, METRICS_TOKEN);
    expect(figure("heard_http_request_duration_seconds_count", { route: LIVE })).toBe(before + 2);
    expect(figure("heard_database_up", {})).toBe(1);
  });

  test("a limit is one for all processes together", async () => {
    const server = await startServer({ template, env: { WORKERS: "2", METRICS_TOKEN, RATE_LIMITS: "login-ip=5/1h" } });
    onTestFinished(server.remove);
    await allServe(server);
    await setUpSite(server);
    const agents = await connectionsToEach(server);
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries++) {
      const json = { email: `nobody${tries}@example.com`, password: "wrong wrong" };
      statuses.push((await ask(server.url, "/api/v1/auth/login", { method: "POST", json, agent: agents[tries % agents.length] })).status);
    }

    expect([statuses.filter((status) => status === 429).length, new Set(statuses).size]).toEqual([3, 2]);
  });

  test("where any port will do all listen on the same", async () => {
    const server = await startServer({ template, env: { WORKERS: "2", PORT: "0" } });
    onTestFinished(server.remove);
    await allServe(server);

    for (const agent of await connectionsToEach(server)) expect((await ask(server.url, LIVE, { agent })).status).toBe(200);
  });

  test("where the first cannot start none does, and the reason is said once", async () => {
    const { code, output } = await runToEnd("front/main.ts", { PORT: "0", WORKERS: "3", DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" });

    expect(code).toBe(1);
    expect(output.match(/Heard cannot start/g)).toHaveLength(1);
  });
});
