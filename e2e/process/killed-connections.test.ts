import { expect, inject, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { databaseIn, runOn, withDatabase } from "#lib/testing/postgres";
import { isFullScale, scale } from "#lib/testing/scale";
import { apiOf } from "../api/client.ts";
import { startSite } from "../site.ts";
import { findDamage, nothingAcknowledged } from "./writers.ts";

const database = process.env.TEST_DATABASE_URL ?? "";
const SECONDS = scale(8, 300);
/** So many callers read and write at once, each a little slower than they could. */
const CALLERS = 4;
const PAUSE_MS = 10;
const MAX_FAILED_SHARE = 0.01;

test.runIf(database)("F3: a connection killed every second costs at most the request that used it", { timeout: 60_000 + SECONDS * 2000 }, async () => {
  const site = await startSite({ template: inject("databaseTemplate") });
  const [api, admin] = [apiOf(site.url), withDatabase(database, databaseIn(site.databaseUrl))];
  const owner = api.as({ token: site.owner.authToken });
  const acknowledged = nothingAcknowledged();
  const statuses: number[] = [];
  const until = Date.now() + SECONDS * 1000;

  async function call(count: number): Promise<void> {
    if (count % 4) return void statuses.push((await (count % 2 ? api.get("/boards") : owner.get("/users/me"))).status);
    const { status, body } = await owner.post("/boards", { name: "Written under fire" });
    statuses.push(status);
    if (status === 201) acknowledged.boardIds.push(String(body.board.boardId));
  }

  async function callOn(): Promise<void> {
    for (let count = 0; Date.now() < until; count++) {
      await call(count);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  // In turn any of them and the oldest, so that those which do nothing but listen, or wait for jobs, are among them for sure.
  let kills = 0;
  async function killOn(): Promise<void> {
    for (; Date.now() < until; kills++) {
      await runOn(
        admin,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY ${kills % 2 ? "random()" : "backend_start"} LIMIT 1`,
      );
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  await Promise.all([killOn(), ...Array.from({ length: CALLERS }, callOn)]);
  const [after, failed] = [await api.get("/boards"), statuses.filter((status) => status >= 500).length];
  await api.close();
  const code = await site.stop();
  const damage = await findDamage(site, acknowledged);
  await site.remove();
  // Next keeps a process up in which an error went unheard; nobody is to rely on that.
  const unheard = site.logLines().filter((line) => /uncaughtException|was not handled/.test(line));

  const share = failed / statuses.length;
  const ok = share <= MAX_FAILED_SHARE && code === 0 && unheard.length === 0 && Object.values(damage).every((count) => count === 0);
  const figure = `${failed} of ${statuses.length} requests failed, ${Object.values(damage).reduce((sum, count) => sum + count, 0)} damaged`;
  reportBar({ bar: "F3", measure: `${kills} connections killed in ${SECONDS} s`, figure, ok });
  expect([after.status, code]).toEqual([200, 0]);
  expect(unheard).toEqual([]);
  expect(damage).toEqual(Object.fromEntries(Object.keys(damage).map((name) => [name, 0])));
  // What is left of a killed transaction may fail in two requests: its own, and the one that gets its connection.
  expect(failed).toBeLessThanOrEqual(2 * kills);
  if (isFullScale) expect(share).toBeLessThanOrEqual(MAX_FAILED_SHARE);
});
