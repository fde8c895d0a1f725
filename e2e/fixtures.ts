import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { reportBar } from "#lib/testing/bars";
import { startSmtpServer, type TestSmtpServer } from "#lib/testing/smtp";
import { signIn } from "./people.ts";
import { startServer, type TestServer } from "./server.ts";
import { startSite, type TestSite } from "./site.ts";
import { databaseTemplate } from "./template.ts";
import { requestsElsewhere, watch } from "./watch.ts";

export { expect };

/** For a story that only a page with JavaScript can tell. */
export const WITH_JAVASCRIPT = { tag: "@javascript" };

export type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

type PerTest = {
  /** Starts a server of this test's own, with these settings: on data that nobody has set up, or on those of a server that was stopped. */
  startOwnServer: (env?: Record<string, string>, from?: TestServer) => Promise<TestServer>;
  /** A mail server, on loopback. */
  smtp: TestSmtpServer;
  /** The page of one more person, in a browser of their own, on `site` or at another server's `url`. */
  newVisitor: (options?: { url?: string; cookies?: Cookies }) => Promise<Page>;
  /** The page of a browser in which the site's owner is signed in. */
  ownerPage: Page;
  /** What went wrong unseen in the test's browsers: nothing, or the test fails. */
  problems: string[];
};

type PerWorker = {
  /** A site with an owner, shared by the tests of a worker: each makes what it needs under names of its own. `page` opens it. */
  site: TestSite;
  ownerCookies: Cookies;
  tally: { stories: number; problems: number; elsewhere: number };
};

/** Playwright's test, with Heard running. Each story is told with and, where `playwright.config.ts` says so, without JavaScript, unless it is tagged. */
export const test = base.extend<PerTest, PerWorker>({
  site: [
    async ({}, use) => {
      const site = await startSite({ template: databaseTemplate() });
      await use(site);
      await site.remove();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  ownerCookies: [
    async ({ site, browser }, use) => {
      const context = await browser.newContext({ baseURL: site.url });
      await signIn(await context.newPage(), site.owner);
      await use(await context.cookies());
      await context.close();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  tally: [
    async ({}, use) => {
      const tally = { stories: 0, problems: 0, elsewhere: 0 };
      await use(tally);
      const measure = `errors and policy violations in browsers, in ${tally.stories} stories`;
      reportBar({ bar: "H10", measure, figure: tally.problems, ok: tally.problems === 0 });
      const asked = `requests of browsers to third parties, in ${tally.stories} stories`;
      reportBar({ bar: "P1", measure: asked, figure: tally.elsewhere, ok: tally.elsewhere === 0 });
    },
    { scope: "worker" },
  ],
  startOwnServer: async ({}, use) => {
    const started: TestServer[] = [];
    await use(async (env, from) => {
      const server = await startServer({ template: databaseTemplate(), env, from });
      started.push(server);
      return server;
    });
    for (const server of started.reverse()) await server.remove();
  },
  smtp: async ({}, use) => {
    const smtp = await startSmtpServer();
    await use(smtp);
    await smtp.close();
  },
  baseURL: async ({ site }, use) => use(site.url),
  // A page must not outlive its server, or it would report the connections it loses: asking for the servers here ends them after the browsers.
  problems: async ({ tally, startOwnServer: _ }, use) => {
    const problems: string[] = [];
    await use(problems);
    tally.stories++;
    tally.problems += problems.length;
    tally.elsewhere += requestsElsewhere(problems).length;
    expect(problems).toEqual([]);
  },
  context: async ({ context, problems }, use) => {
    watch(context, problems);
    await use(context);
  },
  newVisitor: async ({ browser, site, problems }, use) => {
    const opened: BrowserContext[] = [];
    await use(async ({ url = site.url, cookies } = {}) => {
      const context = await browser.newContext({ baseURL: url });
      opened.push(context);
      watch(context, problems);
      if (cookies) await context.addCookies(cookies);
      return context.newPage();
    });
    for (const context of opened) await context.close();
  },
  ownerPage: async ({ newVisitor, ownerCookies }, use) => use(await newVisitor({ cookies: ownerCookies })),
});
