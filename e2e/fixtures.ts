import { test as base, expect } from "@playwright/test";
import { startServer, type TestServer } from "./server.ts";
import { startSite, type TestSite } from "./site.ts";

export { expect };

type Options = {
  /** What a page may say on its console, where a test provokes it. Anything else that is an error fails the test. */
  allowedConsoleErrors: RegExp[];
};

type PerTest = {
  /** A server of this test's own that nobody has set up. */
  freshServer: TestServer;
  quietConsole: undefined;
};

type PerWorker = {
  /** A site with an owner, shared by the tests of a worker: each makes what it needs under names of its own. `page` opens it. */
  site: TestSite;
};

/** Playwright's test, with Heard running. */
export const test = base.extend<Options & PerTest, PerWorker>({
  allowedConsoleErrors: [[], { option: true }],
  site: [
    async ({}, use) => {
      const site = await startSite();
      await use(site);
      await site.remove();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  freshServer: async ({}, use) => {
    const server = await startServer();
    await use(server);
    await server.remove();
  },
  baseURL: async ({ site }, use) => use(site.url),
  quietConsole: [
    async ({ context, allowedConsoleErrors }, use) => {
      const errors: string[] = [];
      context.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      context.on("weberror", (error) => errors.push(String(error.error())));
      await use(undefined);
      // An answer such as 404 is part of some stories; the browser reports it as if a file were missing.
      const expected = [...allowedConsoleErrors, /^Failed to load resource: the server responded with a status of 4\d\d/];
      expect(errors.filter((error) => !expected.some((pattern) => pattern.test(error)))).toEqual([]);
    },
    { auto: true },
  ],
});
