import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { test as base, expect, WITH_JAVASCRIPT } from "./fixtures.ts";
import { unique } from "./people.ts";

/** What pages of other origins can have a signed-in person's browser send, by which types it sends without asking first. */
const TYPES = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""];

/** A page of a browser in which the owner is signed in. Nobody watches it: what is refused there are its problems. */
const test = base.extend<{ page: Page }>({
  page: async ({ browser, site, ownerCookies }, use) => {
    const context = await browser.newContext({ baseURL: site.url });
    await context.addCookies(ownerCookies);
    await use(await context.newPage());
    await context.close();
  },
});

let stranger: Server;

test.beforeAll(async () => {
  stranger = createServer((_request, response) => response.setHeader("Content-Type", "text/html").end("<!doctype html><title>Another site</title>"));
  await new Promise<void>((resolve) => stranger.listen(0, resolve));
});

test.afterAll(() => void stranger.close());

/** Writes from the page, with the person's cookies. The page itself sees nothing of what is answered. */
async function writeFrom(page: Page, url: string, { method, body, type }: { method: string; body: string; type: string }): Promise<void> {
  await page.evaluate(
    async ([address, verb, text, kind]) => {
      const mode = kind === "application/json" ? "cors" : "no-cors";
      await fetch(address, { method: verb, credentials: "include", mode, body: new Blob([text], { type: kind }) }).catch(() => {});
    },
    [url, method, body, type] as const,
  );
}

/** The writes that `lines` of a server's log tell of. */
function writesIn(lines: string[]): string[] {
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ msg, method }) => msg === "request" && !["GET", "OPTIONS"].includes(method))
    .map(({ method, route, status }) => `${method} ${route} ${status}`);
}

// Cookies know no ports: from a page on the one, which is of the same site, the browser sends the session's; from the other it does not.
for (const host of ["127.0.0.1", "localhost"])
  test(`Z8: nothing is written from a page on ${host} by a browser in which the owner is signed in`, WITH_JAVASCRIPT, async ({ page, site, request }) => {
    await page.goto(`http://${host}:${(stranger.address() as AddressInfo).port}/`);
    const name = unique("Board");
    const body = JSON.stringify({ name, title: name });
    const { paths } = (await (await request.get("/api/v1/openapi.json")).json()) as { paths: Record<string, object> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), url: `${site.url}/api/v1${path}` })),
    );
    const unsafe = operations.filter(({ method }) => method !== "GET");

    const posted = unsafe.filter(({ method }) => method === "POST");
    const before = site.logLines().length;

    for (const { method, url } of unsafe) await writeFrom(page, url, { method, body, type: "application/json" });
    for (const { url } of posted) for (const type of TYPES) await writeFrom(page, url, { method: "POST", body, type });

    // Of a write without a type that comes with a session's cookie, the cookie is what is wrong first.
    const statusOf = (type: string) => (type === "" && host === "127.0.0.1" ? 403 : 415);
    const refused = posted.flatMap(({ url }) => TYPES.map((type) => `POST ${new URL(url).pathname} ${statusOf(type)}`));
    await expect.poll(() => writesIn(site.logLines().slice(before))).toEqual(refused);
    const { boards } = await (await request.get("/api/v1/boards?limit=100")).json();
    expect(boards.map((board: { name: string }) => board.name)).not.toContain(name);
  });

test("Z8: a form of another site's page is refused, and what a page of the site itself writes is not", WITH_JAVASCRIPT, async ({ page, site }) => {
  for (const [path, enctype] of [
    ["/api/v1/boards", "text/plain"],
    ["/api/v1/boards", "multipart/form-data"],
    ["/dashboard/boards/new", "multipart/form-data"],
    ["/me", "application/x-www-form-urlencoded"],
  ] as const) {
    await page.goto(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`);
    await page.setContent(`<form method="post" enctype="${enctype}" action="${site.url}${path}"><input name="name" value="Taken"><button>Send</button></form>`);
    const answer = page.waitForResponse(`${site.url}${path}`);
    await page.getByRole("button").click();
    expect([path, enctype, (await answer).status()]).toEqual([path, enctype, path.startsWith("/api") ? 415 : 403]);
  }

  await page.goto("/");
  const name = unique("Board");
  const status = await page.evaluate(
    async (board) =>
      (await fetch("/api/v1/boards", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name: board }) })).status,
    name,
  );
  expect(status).toBe(201);
});
