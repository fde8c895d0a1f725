import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { HEARD_WITHIN_MS } from "#lib/changes/hearing";
import { reportBar } from "#lib/testing/bars";
import { runOn } from "#lib/testing/postgres";
import { scale } from "#lib/testing/scale";
import { apiOf } from "../api/client.ts";
import { startServer } from "../server.ts";
import { setUpSite, startSite, type TestSite } from "../site.ts";
import { ask, connectionsTo, workersOf } from "./connections.ts";

const template = inject("databaseTemplate");
/** Nine reads in each, of which C12 wants 10,000. */
const ROUNDS = scale(10, 1112);
const FREEZES = scale(6, 40);
const CROWD = 100;

async function aSite(): Promise<TestSite> {
  const site = await startSite({ template });
  onTestFinished(site.remove);
  return site;
}

async function textOf(site: Pick<TestSite, "url">, path: string): Promise<string> {
  const response = await fetch(site.url + path);
  return `${response.status} ${await response.text()}`;
}

test("C12: whoever reads after a write sees it: on the home page, on the board's, and in the API", { timeout: scale(120_000, 900_000) }, async () => {
  const site = await aSite();
  const api = apiOf(site.url);
  const token = { token: site.owner.authToken };
  const { boardId, url } = (await api.post("/boards", { name: "Ideas" }, token)).body.board;
  const stale: string[] = [];
  const expectEverywhere = async (text: string, paths: string[]) => {
    for (const path of paths) if (!(await textOf(site, path)).includes(text)) stale.push(`${path} lacks ${text}`);
  };

  for (let round = 0; round < ROUNDS; round++) {
    await api.patch(`/boards/${boardId}`, { name: `Ideas of ${round}` }, token);
    await expectEverywhere(`Ideas of ${round}`, ["/", `/boards/${url}`, "/api/v1/boards"]);
    await api.patch("/settings/site", { title: `Site ${round}` }, token);
    await expectEverywhere(`Site ${round}`, ["/", `/boards/${url}`, "/api/v1/settings/site"]);
    const extra = (await api.post("/boards", { name: `Extra ${round}` }, token)).body.board;
    await expectEverywhere(`Extra ${round}`, ["/api/v1/boards?created=desc", `/boards/${extra.url}`]);
    await api.patch(`/boards/${extra.boardId}`, { isPrivate: true }, token);
    await expectEverywhere("404 ", [`/boards/${extra.url}`]);
    await api.delete(`/boards/${extra.boardId}`, token);
  }
  await api.close();

  reportBar({ bar: "C12", measure: `stale reads of ${ROUNDS * 9}, after ${ROUNDS * 5} writes`, figure: stale.length, ok: stale.length === 0 });
  expect(stale).toEqual([]);
});

test("what nobody changed is made once: whoever asks again meets no limit", async () => {
  const site = await startSite({ template, env: { RATE_LIMITS: "api=20/1h" } });
  onTestFinished(site.remove);
  const statuses: number[] = [];
  for (let visit = 0; visit < 50; visit++) statuses.push((await fetch(`${site.url}/api/v1/boards`)).status);
  const others: number[] = [];
  for (let page = 2; page < 30; page++) others.push((await fetch(`${site.url}/api/v1/boards?page=${page}`)).status);

  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(new Set(others)).toEqual(new Set([200, 429]));
});

test.for(["/", "/api/v1/docs"])("%s from memory has a nonce of its own each time, and is the same in all else", async (path) => {
  const site = await aSite();
  const pages: { nonce: string; link: string | null; body: string }[] = [];
  for (let visit = 0; visit < 3; visit++) {
    const response = await fetch(site.url + path);
    const [, nonce = ""] = /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "") ?? [];
    const common = (text: string) => text.replaceAll(nonce, "NONCE");
    pages.push({ nonce, link: common(response.headers.get("link") ?? ""), body: common(await response.text()) });
  }
  const [first, ...others] = pages;

  expect(new Set(pages.map(({ nonce }) => nonce)).size).toBe(3);
  for (const { body, link } of others) expect([body, link]).toEqual([first?.body, first?.link]);
  expect(first?.body).toContain('nonce="NONCE"');
});

test("a stranger's odd request leaves nothing odd to others", async () => {
  const site = await aSite();
  const odd = { "x-middleware-prefetch": "1", "x-nextjs-data": "1", cookie: "heard-locale=%61r", "user-agent": "" };
  await fetch(site.url, { headers: odd });
  const page = await (await fetch(site.url, { headers: { "accept-language": "en" } })).text();

  expect(page).toMatch(/<html lang="en" dir="ltr"[\s\S]*<\/html>/);
});

test.runIf(process.env.TEST_DATABASE_URL)("what another server, or somebody by hand, writes to PostgreSQL is seen within the stated time", async () => {
  const site = await aSite();
  const other = await startServer({ from: site });
  onTestFinished(async () => void (await other.stop()));
  const api = apiOf(other.url);
  await textOf(site, "/");

  await api.patch("/settings/site", { title: "From next door" }, { token: site.owner.authToken });
  await vi.waitFor(async () => expect(await textOf(site, "/")).toContain("From next door"), { timeout: HEARD_WITHIN_MS, interval: 50 });
  await runOn(site.databaseUrl, `UPDATE "SiteSettings" SET "title" = 'By hand'`);
  await vi.waitFor(async () => expect(await textOf(site, "/")).toContain("By hand"), { timeout: HEARD_WITHIN_MS, interval: 50 });
  await api.close();
});

test("with KEPT_ANSWERS_MB=0 every answer is made anew", async () => {
  const server = await startServer({ template, env: { KEPT_ANSWERS_MB: "0" } });
  onTestFinished(server.remove);
  await setUpSite(server);

  expect((await fetch(server.url)).headers.get("content-length")).toBeNull();
  expect((await fetch(server.url)).headers.get("content-length")).toBeNull();
});

test.runIf(process.env.TEST_DATABASE_URL)(
  "C12: a process that is kept from listening gives nothing out from memory that was written meanwhile",
  { timeout: scale(120_000, 600_000) },
  async () => {
    const site = await startSite({ template, env: { WORKERS: "2" } });
    onTestFinished(site.remove);
    await vi.waitFor(() => expect(site.logs()).toContain("every server process serves"), { timeout: 60_000, interval: 100 });
    const [first = 0, second = 0] = workersOf(site);
    const [[reader], crowd, [writer]] = [await connectionsTo(site, first, 1), await connectionsTo(site, first, CROWD), await connectionsTo(site, second, 1)];
    const settings = (options: Parameters<typeof ask>[2]) => ask(site.url, "/api/v1/settings/site", options);
    onTestFinished(() => void process.kill(first, "SIGCONT"));
    const stale: string[] = [];
    for (let round = 0; round < FREEZES; round++) {
      const title = `Site ${round}`;
      await Promise.all([settings({ agent: reader }), ask(site.url, "/", { agent: crowd[0] })]);
      await sleep(200);
      // Frozen amid a turn in which it answers a crowd, it has still to look for what its sibling says, and the reader's line comes first.
      process.kill(first, "SIGSTOP");
      const asked = [reader, ...crowd].map((agent, index) => (index === 0 ? settings({ agent }) : ask(site.url, "/", { agent })));
      await sleep(50);
      process.kill(first, "SIGCONT");
      await sleep(1 + round);
      process.kill(first, "SIGSTOP");
      await settings({ method: "PATCH", json: { title }, token: site.owner.authToken, agent: writer });
      const reading = asked[0]?.then(() => settings({ agent: reader }));
      await sleep(50);
      process.kill(first, "SIGCONT");
      if (!(await reading)?.body.includes(title)) stale.push(title);
      await Promise.all(asked);
    }

    expect(stale).toEqual([]);
  },
);
