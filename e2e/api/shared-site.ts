import type { TestProject } from "vitest/node";
import { startSite } from "../site.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A running site that is set up, for tests that leave it as they found it: each makes what it needs under names of its own. */
    site: { url: string; databaseUrl: string; ownerToken: string };
  }
}

/** Vitest's global set-up: one site for the whole run, because starting one takes seconds. On PostgreSQL two processes serve it, by chance who answers, which must not make a difference (`e2e/process/workers.test.ts` asks each). */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const site = await startSite({ env: process.env.TEST_DATABASE_URL ? { WORKERS: "2" } : {} });
  provide("site", { url: site.url, databaseUrl: site.databaseUrl, ownerToken: site.owner.authToken });
  return site.remove;
}
