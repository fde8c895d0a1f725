import { expect, inject, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { startServer, type TestServer } from "../server.ts";
import { startSite } from "../site.ts";
import { readRows } from "../stored.ts";
import { signIn } from "./browser.ts";
import { apiOf, newEmail, PASSWORD } from "./client.ts";

const GETS = scale(80, 1000);
/** As many as it takes for so many links. */
const BOARDS = scale(3, 200);

/** Everything stored but for when somebody was last seen, and what limits have counted. The server must not run. */
async function everything(server: TestServer): Promise<string> {
  const tables = await readRows<{ name: string }>(
    server,
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'RateLimit' ORDER BY 1`,
  );
  const parts = tables.map(({ name }) => `SELECT '${name} ' || (to_jsonb(t) - 'lastSeenAt')::text AS row FROM ${name} t`);
  const stored = await readRows<{ row: string }>(server, `${parts.join(" UNION ALL ")} ORDER BY 1`);
  return stored.map(({ row }) => row).join("\n");
}

/** The addresses on this site that a page leads to. */
function linksOn(html: string, base: string): string[] {
  const found = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = ""]) => new URL(link.replaceAll("&amp;", "&"), base));
  return found.filter(({ origin }) => origin === new URL(base).origin).map(({ pathname, search }) => `${pathname}${search}`);
}

test("Z9: an owner who follows every link changes nothing", { timeout: 120_000 + GETS * 300 }, async () => {
  const site = await startSite({ template: inject("databaseTemplate") });
  const api = apiOf(site.url);
  const owner = api.as({ token: site.owner.authToken });
  for (let made = 0; made < BOARDS; made++) await owner.post("/boards", { name: `Ideas ${made}` });
  const { board } = (await owner.post("/boards", { name: "Deleted" })).body;
  await owner.delete(`/boards/${board.boardId}`);
  await api.post("/auth/signup", { email: newEmail(), password: PASSWORD });
  const browser = await signIn(site.url, site.owner.email, site.owner.password);
  await api.close();
  await site.stop();
  const before = await everything(site);

  const server = await startServer({ from: site });
  const [seen, queue] = [
    new Set<string>(),
    ["/", "/dashboard", "/me", "/api/v1/docs", "/sitemap.xml", "/feed.atom", "/api/v1/boards", "/api/v1/users/me", "/api/v1/auth/setup", "/setup"],
  ];
  let gets = 0;
  for (let path = queue.shift(); path && gets < GETS; path = queue.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const response = await fetch(`${server.url}${path}`, { headers: { cookie: browser.cookie() }, redirect: "manual" });
    gets++;
    expect([path, response.status < 500]).toEqual([path, true]);
    if (response.headers.get("content-type")?.includes("text/html")) queue.push(...linksOn(await response.text(), server.url));
    else await response.arrayBuffer();
  }
  await server.stop();
  const after = await everything(site);
  await site.remove();

  const isSame = after === before;
  const figure = isSame ? "identical" : "changed";
  reportBar({
    bar: "Z9",
    measure: `what is stored after ${gets} GETs by the owner`,
    figure,
    ok: isSame && gets === GETS,
  });
  expect(gets).toBe(GETS);
  expect(after.split("\n")).toEqual(before.split("\n"));
});
