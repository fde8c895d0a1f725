import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, onTestFinished, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { startSite, type TestSite } from "../site.ts";

const WARM_UP_SECONDS = scale(5, 300);
const SECONDS = scale(10, 3600);
const PER_SECOND = scale(25, 100);
const MAX_OPEN = 64;
const MAX_GROWTH = 0.1;
/** Memory rises and falls between collections: the middle of as many looks is compared. */
const LOOKS = 9;

const database = process.env.TEST_DATABASE_URL ? "postgresql" : "embedded";

test(`F10: under ${PER_SECOND} requests a second memory does not grow, and nothing is left unhandled`, {
  timeout: (WARM_UP_SECONDS + SECONDS + 120) * 2000,
}, async () => {
  const site = await startSite({ template: inject("databaseTemplate") });
  onTestFinished(site.remove);
  await write(site, "POST", "/boards", { name: "Soaked" });

  const statuses = await askFor(WARM_UP_SECONDS, site);
  const before = await memoryOf(site.pid);
  for (const [status, count] of await askFor(SECONDS, site)) statuses.set(status, (statuses.get(status) ?? 0) + count);
  const after = await memoryOf(site.pid);
  const code = await site.stop();
  const unhandled = site.logLines().filter((line) => line.includes("was not handled")).length;

  const growth = after / before - 1;
  const asked = [...statuses.values()].reduce((sum, count) => sum + count);
  const failed = asked - (statuses.get(200) ?? 0) - (statuses.get(201) ?? 0);
  const figure = `${(growth * 100).toFixed(1)} % (${Math.round(before / 1e6)} to ${Math.round(after / 1e6)} MB); ${failed} of ${asked} failed; ${unhandled} unhandled`;
  reportBar({
    bar: "F10",
    measure: `memory after ${SECONDS} s of ${PER_SECOND} requests a second`,
    figure,
    database,
    ok: growth < MAX_GROWTH && unhandled + failed === 0,
  });
  expect([unhandled, code, statuses.get(500) ?? 0]).toEqual([0, 0, 0]);
  // A busy machine may keep somebody waiting too long, and in seconds the heap has not yet found its size.
  if (process.env.PROVE === "1") expect([failed, growth < MAX_GROWTH]).toEqual([0, true]);
});

/** Asks so often for so long what visitors, members and owners ask, and returns how many answers had which status. */
async function askFor(seconds: number, site: TestSite): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const open = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let count = 0; count < seconds * PER_SECOND; count++) {
    await sleep(Math.max(0, startedAt + (count * 1000) / PER_SECOND - performance.now()));
    const asked: Promise<void> = ask(count, site)
      // Status 0: a connection that ended without an answer.
      .catch(() => 0)
      .then((status) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        open.delete(asked);
      });
    open.add(asked);
    // A machine that cannot keep up is asked as fast as it can.
    while (open.size > MAX_OPEN) await Promise.race(open);
  }
  await Promise.all(open);
  return statuses;
}

function ask(count: number, site: TestSite): Promise<number> {
  const turn = count % 100;
  if (turn === 0) return write(site, "PATCH", "/settings/site", { description: `Soaked ${count} times` });
  if (turn < 3) return read(site, "/");
  if (turn < 6) return read(site, "/boards/soaked");
  if (turn < 30) return read(site, "/api/v1/users/me", { authorization: `Bearer ${site.owner.authToken}` });
  return read(site, turn < 60 ? "/api/v1/settings/site" : "/api/v1/boards");
}

async function read({ url }: TestSite, path: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(url + path, { headers });
  await answer.arrayBuffer();
  return answer.status;
}

async function write({ url, owner }: TestSite, method: string, path: string, body: object): Promise<number> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${owner.authToken}` };
  const answer = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  await answer.arrayBuffer();
  return answer.status;
}

/** What the process holds, in bytes: the middle of some looks within a few seconds. */
async function memoryOf(pid: number): Promise<number> {
  const looks: number[] = [];
  for (let look = 0; look < LOOKS; look++) {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    looks.push(Number(kilobytes) * 1024);
    await sleep(scale(100, 1000));
  }
  return looks.sort((one, other) => one - other)[Math.floor(LOOKS / 2)] ?? 0;
}
