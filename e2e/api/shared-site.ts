import { setTimeout as sleep } from "node:timers/promises";
import type { TestProject } from "vitest/node";
import { startSite } from "../site.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A running site that is set up, for tests that leave it as they found it: each makes what it needs under names of its own. */
    site: { url: string; databaseUrl: string; ownerToken: string };
  }
}

const ALL_SERVE_WITHIN_MS = 60_000;

/** Vitest's global set-up: one site for the whole run, because starting one takes seconds. On PostgreSQL two processes serve it, by chance who answers, which must not make a difference (`e2e/process/workers.test.ts` asks each). */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const isServedByTwo = Boolean(process.env.TEST_DATABASE_URL);
  const site = await startSite({ env: isServedByTwo ? { WORKERS: "2" } : {} });
  // The second takes a processor for seconds while it gets ready, of which the first test would have its share.
  for (const end = Date.now() + ALL_SERVE_WITHIN_MS; isServedByTwo && !site.logs().includes("every server process serves"); await sleep(100))
    if (Date.now() > end) throw new Error(`The second server process was not ready within ${ALL_SERVE_WITHIN_MS / 1000} s:\n${site.logs()}`);
  provide("site", { url: site.url, databaseUrl: site.databaseUrl, ownerToken: site.owner.authToken });
  return site.remove;
}
