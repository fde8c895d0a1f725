import { createViteServer } from "vitest/node";

// A process that does background jobs and nothing else, for tests that kill it. Letters are .tsx, so Vite loads the code.
// It ends with the test that forked it.
const vite = await createViteServer({
  configFile: false,
  appType: "custom",
  logLevel: "error",
  server: { middlewareMode: true, watch: null, ws: false },
  optimizeDeps: { noDiscovery: true },
});
const { jobs } = await vite.ssrLoadModule("/server/jobs.ts");
const { startJobs } = await vite.ssrLoadModule("/lib/jobs.ts");
await startJobs(jobs);
process.once("disconnect", () => process.exit());
