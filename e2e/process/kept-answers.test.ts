import { expect, inject, onTestFinished, test, vi } from "vitest";
import { HEARD_WITHIN_MS } from "#lib/changes/hearing";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { runOn } from "#lib/testing/template";
import { apiOf } from "../api/client.ts";
import { startServer } from "../server.ts";
import { setUpSite, startSite, type TestSite } from "../site.ts";
import { database } from "./places.ts";

const template = inject("databaseTemplate");
const ROUNDS = scale(10, 200);

async function aSite(): Promise<TestSite> {
  const site = await startSite({ template });
  onTestFinished(site.remove);
  return site;
}

async function textOf(site: Pick<TestSite, "url">, path: string): Promise<string> {
  const response = await fetch(site.url + path);
  return `${response.status} ${await response.text()}`;
}

test("C12: whoever reads after a write sees it: on the home page, on the board's, and in the API", async () => {
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

  reportBar({ bar: "C12", measure: `stale reads after ${ROUNDS * 5} writes`, figure: stale.length, database, ok: stale.length === 0 });
  expect(stale).toEqual([]);
});

test("what nobody changed is made once, and its page has a nonce of its own each time", async () => {
  const site = await aSite();
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => fetch(`${site.url}/api/v1/boards`)));
  const pages: { nonce: string; body: string }[] = [];
  for (let visit = 0; visit < 3; visit++) {
    const response = await fetch(site.url);
    const [, nonce = ""] = /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "") ?? [];
    pages.push({ nonce, body: (await response.text()).replaceAll(nonce, "NONCE") });
  }

  expect(new Set(others.map(({ headers }) => headers.get("etag")))).toEqual(new Set([first?.headers.get("etag")]));
  expect(new Set(pages.map(({ nonce }) => nonce)).size).toBe(3);
  // What React makes up for each page that it renders is the same: it was rendered once.
  expect(pages[2]?.body).toBe(pages[1]?.body);
  expect(pages[0]?.body).toContain('nonce="NONCE"');
});

test.runIf(process.env.TEST_DATABASE_URL)("what another server, or somebody by hand, writes to PostgreSQL is seen within the stated time", async () => {
  const site = await aSite();
  const other = await startServer({ from: { ...site, dataDir: `${site.dataDir}-other` } });
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
