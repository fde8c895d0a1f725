import { cpSync, globSync, readdirSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { freePort } from "#front/listen";
import { reportBar } from "#lib/testing/bars";
import { runOn, withDatabase } from "#lib/testing/postgres";
import { scale } from "#lib/testing/scale";
import { signIn } from "../api/browser.ts";
import { type Answer, type Api, apiOf, newEmail, PASSWORD } from "../api/client.ts";
import { startServer } from "../server.ts";
import { OWNER, startSite } from "../site.ts";
import { writeRows } from "../stored.ts";
import { startCluster } from "./own-cluster.ts";
import { runToEnd } from "./run.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";
import { findDamage, nothingAcknowledged, startWriters, writtenBy } from "./writers.ts";

const ROUNDS = scale(2, 10);
const TIMEOUT = { timeout: 120_000 + ROUNDS * 60_000 };
const MEBIBYTE = 1024 * 1024;
/** Far above what the test does; requests are counted even on a full disk, in memory. */
const LIMITS = "signup=100000/30m,setup=1000/30m,api=100000/30m,api-user=100000/30m,login=1000/30m,login-ip=100000/30m";

const admin = process.env.TEST_DATABASE_URL ?? "";
const database = admin ? "postgresql" : "embedded";
const template = inject("databaseTemplate");
const canMount = mayMount();

function mayMount(): boolean {
  const disk = mountSmallDisk(1);
  disk?.remove();
  return disk !== null;
}

function aDisk(megabytes: number, options?: Parameters<typeof mountSmallDisk>[1]): SmallDisk {
  const disk = mountSmallDisk(megabytes, options);
  if (!disk) throw new Error("No disk can be mounted any more");
  onTestFinished(disk.remove);
  return disk;
}

/** A place for a site with its database on a small disk, on which there is room for some 100 MB more. */
async function aSmallPlace(): Promise<{ disk: SmallDisk; place: { dataDir: string; databaseUrl: string } }> {
  if (!admin) {
    const disk = aDisk(300);
    cpSync(template, `${disk.folder}/db`, { recursive: true });
    return { disk, place: { dataDir: disk.folder, databaseUrl: "" } };
  }
  // Its tables alone are there: what a server does whose log finds no room, and who starts it again, is not Heard's to decide.
  // But of a server with one full disk all checkpoints fail, which others on it would notice.
  const cluster = await startCluster(admin);
  const disk = aDisk(120, { uid: cluster.uid });
  onTestFinished(cluster.remove);
  await runOn(cluster.url, `CREATE TABLESPACE "small" LOCATION '${disk.folder}'`);
  await runOn(cluster.url, `CREATE DATABASE "heard" TABLESPACE "small"`);
  return { disk, place: { dataDir: `${disk.folder}-unused`, databaseUrl: withDatabase(cluster.url, "heard") } };
}

/** A site on it, with a person whose last request was an hour ago: the next one is to note that, which is a write. */
async function aSmallSite() {
  const { disk, place } = await aSmallPlace();
  const options = { from: place, env: { RATE_LIMITS: LIMITS } };
  const site = await startSite(options);
  const browser = await signIn(site.url, OWNER.email, OWNER.password);
  await site.stop();
  await writeRows(place, `UPDATE "Session" SET "lastSeenAt" = now() - interval '1 hour'`);
  const server = await startServer(options);
  onTestFinished(server.remove);
  const api = apiOf(server.url);
  return { disk, server, api, owner: api.as({ token: site.owner.authToken }), token: site.owner.authToken, cookie: browser.cookie() };
}

const writesOf = (api: Api, owner: Api): Promise<Answer>[] => [
  owner.post("/boards", { name: "Written on a full disk" }),
  owner.patch("/users/me", { name: crypto.randomUUID() }),
  owner.patch("/settings/site", { title: crypto.randomUUID() }),
  api.post("/auth/signup", { email: newEmail(), password: PASSWORD }),
  api.post("/auth/login", { email: OWNER.email, password: OWNER.password }),
];

test.runIf(process.platform === "linux")("where the disk is full that its words and its log go to, a site starts, answers and stops all the same", async () => {
  const port = String(await freePort());
  // From an empty database: what it says of migrating finds no room either.
  const server = await startServer({ env: { PORT: port }, under: ["sh", "-c", 'exec "$@" >/dev/full 2>&1', "sh"] });
  onTestFinished(server.remove);

  expect((await fetch(`${server.url}/setup`)).status).toBe(200);
  expect((await fetch(`${server.url}/no-such-page`, { redirect: "manual" })).status).toBe(307);
  expect(await server.stop()).toBe(0);
});

test.runIf(canMount)(`D5: a full disk costs writes and nothing else, ${ROUNDS} times, and with room again all goes on by itself`, TIMEOUT, async () => {
  const { disk, server, api, owner, token, cookie } = await aSmallSite();
  const acknowledged = nothingAcknowledged();
  const page = async (path: string) => (await fetch(`${server.url}${path}`, { headers: { cookie }, redirect: "manual" })).status;
  const reads = async () => [
    (await api.get("/boards")).status,
    (await owner.get("/users/me")).status,
    (await api.get("/api/health/ready")).status,
    ...(await Promise.all([page("/"), page("/me"), page("/dashboard")])),
  ];
  const onFull: Answer[] = [];
  const readStatuses: number[] = [];
  const backMs: number[] = [];
  let idleLines = 0;

  for (let round = 0; round < ROUNDS; round++) {
    const before = acknowledged.boardIds.length;
    const writers = startWriters(api, token, acknowledged);
    await vi.waitFor(() => expect(acknowledged.boardIds.length).toBeGreaterThan(before + 20), { timeout: 20_000 });
    await disk.fill(round % 2 ? undefined : 4 * MEBIBYTE);
    await writers.done;
    onFull.push(...(await Promise.all(writesOf(api, owner))));
    readStatuses.push(...(await reads()));
    const lines = server.logLines().length;
    await sleep(2000);
    idleLines += server.logLines().length - lines;
    disk.makeRoom();
    const roomAt = performance.now();
    await vi.waitFor(async () => expect((await owner.post("/boards", { name: "Written with room again" })).status).toBe(201), { timeout: 20_000 });
    backMs.push(Math.round(performance.now() - roomAt));
  }
  const after = await Promise.all(writesOf(api, owner));
  await disk.fill();
  await api.close();
  const code = await server.stop();
  disk.makeRoom();

  const statuses = statusesOf(server.logLines());
  const damage = await findDamage(server, acknowledged);
  const written = writtenBy(acknowledged);
  const refused = onFull.filter(({ status }) => status === 503);
  const damaged = Object.values(damage).reduce((sum, count) => sum + count, 0);
  reportBar({
    bar: "D5",
    measure: `disk filled ${ROUNDS} times amid ${written} writes: answers 503, other 5xx; reads not 200; first write after, ms; damaged`,
    figure: `${statuses.get(503) ?? 0}, ${statuses.get(500) ?? 0}; ${readStatuses.filter((status) => status !== 200).length}; ${Math.max(...backMs)}; ${damaged}`,
    ok: refused.length > 0 && !statuses.has(500) && readStatuses.every((status) => status === 200) && code === 0 && damaged === 0,
  });

  for (const { status, body, headers } of refused)
    expect([status, body, headers["retry-after"]]).toEqual([503, { code: "SERVER_ERROR", message: "Something went wrong!" }, expect.stringMatching(/^\d+$/)]);
  // PostgreSQL still finds room for a small row in the last page of a table.
  if (database === "embedded") expect(onFull.map(({ status }) => status)).toEqual(onFull.map(() => 503));
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([503]);
  expect(readStatuses).toEqual(readStatuses.map(() => 200));
  expect(after.map(({ status }) => status)).toEqual([201, 200, 200, 201, 200]);
  expect([code, damage]).toEqual([0, Object.fromEntries(Object.keys(damage).map((name) => [name, 0]))]);
  expect(idleLines).toBeLessThan(ROUNDS * 20);
});

test.runIf(canMount && admin)(
  "where PostgreSQL has no room to begin a session, reads wait for one that is there, and without one 503 is the answer",
  TIMEOUT,
  async () => {
    const { disk, server, api, owner } = await aSmallSite();
    await disk.fill();
    // What a server keeps for new sessions it makes anew once that is gone, as after a table was changed. One that begins before the disk is full again makes it at once.
    const kept = () => globSync(`${disk.folder}/*/*/pg_internal.init`);
    do {
      for (const path of kept()) rmSync(path);
      await disk.fill();
    } while (kept().length > 0);

    const reads = await Promise.all(Array.from({ length: 40 }, () => owner.get("/users/me")));
    await runOn(withDatabase(server.databaseUrl, "postgres"), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'heard'`);
    const onFull = [...(await Promise.all(writesOf(api, owner))), await owner.get("/users/me"), ...(await Promise.all(writesOf(api, owner)))];
    disk.makeRoom();

    expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200));
    expect(onFull.map(({ status }) => status)).toEqual(onFull.map(() => 503));
    await vi.waitFor(async () => expect((await owner.post("/boards", { name: "Written with room again" })).status).toBe(201), { timeout: 20_000 });
  },
);

test.runIf(canMount && !admin)("what cannot be done on a full disk is refused by a sentence, and leaves nothing half", { timeout: 90_000 }, async () => {
  const { disk, server, api } = await aSmallSite();
  const run = (program: string, args: string[] = []) => runToEnd(program, { DATA_DIR: server.dataDir, PORT: "0" }, args);
  await disk.fill();

  const backup = await run("scripts/backup.ts", [`${disk.folder}/backup`]);
  const reset = await run("scripts/owner-reset-password.ts");
  await api.close();
  const code = await server.stop();
  const start = await run("front/main.ts");
  disk.makeRoom();

  expect([backup.code, backup.output]).toEqual([
    1,
    expect.stringMatching(/^The site cannot be read for a backup \(the disk has 0 MB left, and .+\): make room/),
  ]);
  expect([reset.code, reset.output]).toEqual([1, expect.stringContaining("The disk that holds")]);
  expect([code, start.code, start.output]).toEqual([
    0,
    1,
    expect.stringMatching(/^Heard cannot start\. The disk that holds .+ is full \(0 MB are left.+\): make room/),
  ]);
  expect(readdirSync(disk.folder).toSorted()).toEqual(["db", "heard.lock"]);
  const restarted = await startServer({ from: server });
  expect(await restarted.stop()).toBe(0);
});

test.runIf(canMount && !admin)("a disk that takes no more files is told of when a start finds it", async () => {
  const disk = aDisk(300, { files: 100 });

  const start = await runToEnd("front/main.ts", { DATA_DIR: disk.folder, PORT: "0" });

  expect([start.code, start.output]).toEqual([
    1,
    expect.stringMatching(/^Heard cannot start\. The database in .+ could not be opened \(ENOSPC\): check the disk/),
  ]);
});

/** How often each status was answered. */
function statusesOf(lines: string[]): Map<number, number> {
  const statuses = new Map<number, number>();
  for (const line of lines) {
    const { msg, status } = JSON.parse(line) as { msg: string; status: number };
    if (msg === "request") statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return statuses;
}
