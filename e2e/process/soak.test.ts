import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, onTestFinished, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { isFullScale, isToldHere, scale } from "#lib/testing/scale";
import { startSite, type TestSite } from "../site.ts";

const WARM_UP_SECONDS = scale(5, 300);
const SECONDS = scale(10, 3600);
const PER_SECOND = scale(25, 100);
/** As much of that a machine must let through for the figure to be one of it. */
const KEEPS_UP = 0.98;
const MAX_OPEN = 64;
const MAX_GROWTH = 0.1;
/** Memory rises and falls between collections: the middle of as many looks is compared. */
const LOOKS = 9;
const HEAP_WARM_UP = 100;
const HEAP_ROUNDS = 150;
/** Code that is compiled, or thrown away, on the way weighs on one of them. */
const HEAP_LOOKS = 3;
/** One answer that is held weighs more than twenty thousand. */
const MAX_HELD_BYTES = 12_000;

test(`F10: under ${PER_SECOND} requests a second memory does not grow, and nothing is left unhandled`, {
  timeout: (WARM_UP_SECONDS + SECONDS + 120) * 2000,
}, async () => {
  const site = await startSite({ template: inject("databaseTemplate") });
  onTestFinished(site.remove);
  await write(site, "POST", "/boards", { name: "Soaked" });

  const statuses = await askFor(WARM_UP_SECONDS, site);
  const before = await memoryOf(site.pid);
  const startedAt = performance.now();
  for (const [status, count] of await askFor(SECONDS, site)) statuses.set(status, (statuses.get(status) ?? 0) + count);
  const reached = (SECONDS * PER_SECOND * 1000) / (performance.now() - startedAt);
  const after = await memoryOf(site.pid);
  const code = await site.stop();
  const unhandled = site.logLines().filter((line) => line.includes("was not handled")).length;

  const growth = after / before - 1;
  const asked = [...statuses.values()].reduce((sum, count) => sum + count);
  const failed = asked - (statuses.get(200) ?? 0) - (statuses.get(201) ?? 0);
  const figure = `${(growth * 100).toFixed(1)} % (${Math.round(before / 1e6)} to ${Math.round(after / 1e6)} MB); ${failed} of ${asked} failed; ${unhandled} unhandled`;
  reportBar({
    bar: "F10",
    measure: `memory after ${SECONDS * PER_SECOND} requests, ${reached.toFixed(1)} a second`,
    figure,
    ok: growth < MAX_GROWTH && unhandled + failed === 0 && reached > PER_SECOND * KEEPS_UP,
  });
  expect([unhandled, code, statuses.get(500) ?? 0]).toEqual([0, 0, 0]);
  // A busy machine may keep somebody waiting too long, and in seconds the heap has not yet found its size.
  if (isFullScale) expect([failed, growth < MAX_GROWTH, reached > PER_SECOND * KEEPS_UP], `${reached} a second`).toEqual([0, true, true]);
});

test.runIf(isToldHere)("F10: of what was answered nothing is held", { timeout: 300_000 }, async () => {
  const site = await startSite({ template: inject("databaseTemplate"), env: { NODE_OPTIONS: "--inspect=127.0.0.1:0" } });
  onTestFinished(site.remove);
  await write(site, "POST", "/boards", { name: "Soaked" });
  const heap = await openHeap(site);
  // Whoever says who they are gets a page of their own, made anew.
  const askAll = async (count: number) => {
    for (let asked = 0; asked < count; asked++)
      for (const path of ["/boards/soaked", "/api/v1/boards", "/api/v1/users/me"])
        expect(await read(site, path, { authorization: `Bearer ${site.owner.authToken}` })).toBe(200);
  };

  await askAll(HEAP_WARM_UP);
  const held: number[] = [];
  for (let look = 0; look < HEAP_LOOKS; look++) {
    const before = await heap.heldBytes();
    await askAll(HEAP_ROUNDS);
    held.push(Math.round(((await heap.heldBytes()) - before) / HEAP_ROUNDS));
  }
  heap.close();
  const each = middleOf(held);

  reportBar({ bar: "F10", measure: "bytes of heap that a page and two questions to the API leave", figure: each, ok: each < MAX_HELD_BYTES });
  expect(each).toBeLessThan(MAX_HELD_BYTES);
});

/** The server's heap, by its inspector: what is left when all is thrown away that nobody holds. */
async function openHeap({ logs }: TestSite) {
  const [, address = ""] = /Debugger listening on (ws:\S+)/.exec(logs()) ?? [];
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }));
  let lastId = 0;
  const call = <Result>(method: string) =>
    new Promise<Result>((resolve) => {
      const id = ++lastId;
      const listen = ({ data }: MessageEvent<string>) => {
        const message = JSON.parse(data) as { id?: number; result: Result };
        if (message.id !== id) return;
        socket.removeEventListener("message", listen);
        resolve(message.result);
      };
      socket.addEventListener("message", listen);
      socket.send(JSON.stringify({ id, method }));
    });
  return {
    async heldBytes(): Promise<number> {
      // What is let go when it is collected may hold something that is collected next.
      for (let time = 0; time < 3; time++) await call("HeapProfiler.collectGarbage");
      return (await call<{ usedSize: number }>("Runtime.getHeapUsage")).usedSize;
    },
    close: () => socket.close(),
  };
}

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
  return middleOf(looks);
}

function middleOf(figures: number[]): number {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? 0;
}
