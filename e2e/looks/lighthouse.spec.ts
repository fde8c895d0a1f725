import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import lighthouse, { type Result } from "lighthouse";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { databaseOf, expect, test, WITH_JAVASCRIPT } from "../fixtures.ts";
import { unique } from "../people.ts";
import { freePort } from "../server.ts";
import type { TestSite } from "../site.ts";

const MAX_OWN_SCRIPT_BYTES = 20_000;

test.describe("public pages, measured", WITH_JAVASCRIPT, () => {
  test("H8, U8: Lighthouse finds nothing to better; how fast they are is measured at full scale", async ({ site, request }) => {
    test.setTimeout(300_000);
    const paths = await publicPaths(site, request);
    const results = await measure(site.url, paths.slice(0, scale(2, paths.length)));

    const worst = (category: string) => Math.min(...results.map(({ categories }) => categories[category]?.score ?? 0)) * 100;
    const faults = results.flatMap(faultsOf);
    const database = databaseOf(site);
    const figure = `accessibility ${worst("accessibility")}, best practices ${worst("best-practices")}, SEO ${worst("seo")}`;
    reportBar({ bar: "H8", measure: `Lighthouse, the least of ${results.length} pages`, figure, database, ok: faults.length === 0 });
    reportSpeed(results, worst("performance"), database);
    expect(faults).toEqual([]);
  });

  test("U9: a public page brings at most 20 KB of our own and libraries' JavaScript beside the framework's", async ({ page, site }) => {
    const sent: string[] = [];
    page.on("response", (response) => response.url().endsWith(".js") && sent.push(new URL(response.url()).pathname));
    await page.goto("/", { waitUntil: "networkidle" });

    const { rootMainFiles, polyfillFiles } = JSON.parse(readFileSync(".next/build-manifest.json", "utf8"));
    const framework = [...rootMainFiles, ...polyfillFiles].map((file) => `/_next/${file}`);
    const own = [...new Set(sent)].filter((path) => !framework.includes(path));
    const bytes = own.reduce((sum, path) => sum + gzipSync(readFileSync(path.replace("/_next/", ".next/"))).length, 0);

    const ok = bytes <= MAX_OWN_SCRIPT_BYTES;
    reportBar({ bar: "U9", measure: "gzipped bytes of script on the first page, beside the framework's", figure: bytes, database: databaseOf(site), ok });
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(MAX_OWN_SCRIPT_BYTES);
  });
});

/** Pages that search engines and strangers see, with a site that says what it is for. */
async function publicPaths(site: TestSite, request: Parameters<Parameters<typeof test>[2]>[0]["request"]): Promise<string[]> {
  const headers = { authorization: `Bearer ${site.owner.authToken}` };
  await request.patch("/api/v1/settings/site", { data: { description: "Tell us what you need, and see what others wish for." }, headers });
  const { board } = await (
    await request.post("/api/v1/boards", { data: { name: unique("Ideas"), description: "What we should build next." }, headers })
  ).json();
  return ["/", `/boards/${board.url}`, "/login", "/search"];
}

/** Loads each page as Lighthouse's phone does, on a connection that really is as slow (not reckoned from a fast one). */
async function measure(url: string, paths: string[]): Promise<Result[]> {
  const port = await freePort();
  // The browser that the other stories run in.
  const browser = await chromium.launch({ ...test.info().project.use.launchOptions, args: [`--remote-debugging-port=${port}`] });
  try {
    const results: Result[] = [];
    for (const path of paths) {
      const run = await lighthouse(`${url}${path}`, { port, logLevel: "silent", throttlingMethod: "devtools", onlyCategories: CATEGORIES });
      if (run) results.push(run.lhr);
    }
    return results;
  } finally {
    await browser.close();
  }
}

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

/** What a page lost points for, but for speed. */
function faultsOf({ requestedUrl, categories, audits }: Result): string[] {
  return CATEGORIES.filter((category) => category !== "performance").flatMap((category) =>
    (categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && audits[id]?.score !== null && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `${requestedUrl} ${category}: ${id} ${audits[id]?.title}`),
  );
}

/** Speed is judged where the machine does nothing else, not by `npm test`. */
function reportSpeed(results: Result[], performance: number, database: ReturnType<typeof databaseOf>): void {
  const slowest = (audit: string) => Math.max(...results.map(({ audits }) => audits[audit]?.numericValue ?? Number.POSITIVE_INFINITY));
  const [lcpMs, shift, blockingMs] = [slowest("largest-contentful-paint"), slowest("cumulative-layout-shift"), slowest("total-blocking-time")];
  const figure = `LCP ${(lcpMs / 1000).toFixed(2)} s, CLS ${shift.toFixed(3)}, TBT ${Math.round(blockingMs)} ms, performance ${Math.round(performance)}`;
  const ok = lcpMs <= 2000 && shift <= 0.02 && performance >= 95;
  reportBar({ bar: "U8", measure: `slowest of ${results.length} pages on a slow phone`, figure, database, ok });
}
