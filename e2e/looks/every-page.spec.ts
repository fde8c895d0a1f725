import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { test as base, expect, WITH_JAVASCRIPT } from "../fixtures.ts";
import { requestsElsewhere, watch } from "../watch.ts";
import { t } from "../words.ts";
import { axeViolations, clippedLabels, deadEnds, missingParts, movingElements, sidewaysScroll, smallTargets, untranslatedTexts } from "./page-checks.ts";
import { open, type SitePage } from "./pages.ts";
import { everyVisit, type Visit } from "./visits.ts";

type Check = (page: Page, site: SitePage) => string[] | Promise<string[]>;

/** A round through every page, in a browser that looks like this, with what is looked for on each. */
type Round = { options?: BrowserContextOptions; cookies?: Record<string, string>; checks: Partial<Record<Rule, Check>> };

/** A page that hangs is to fail by its name, not by the end of the whole round. */
const LONGEST_STEP_MS = 60_000;

const RTL = { "heard-locale": "ar" };
const PSEUDO = { "heard-locale": "en-XA" };
const PHONE = { viewport: { width: 375, height: 800 } };

/** The two looks that differ in everything: on these axe looks in `npm test`, on all of them at full scale. */
const WIDE: BrowserContextOptions = { colorScheme: "light", viewport: { width: 1280, height: 800 } };
const NARROW: BrowserContextOptions = { colorScheme: "dark", viewport: { width: 320, height: 800 } };
const OTHER_LOOKS = (["light", "dark"] as const)
  .flatMap((colorScheme) => [320, 768, 1280].flatMap((width) => [{}, RTL].map((cookies) => ({ colorScheme, width, cookies }))))
  .filter(({ colorScheme, width, cookies }) => (colorScheme === "light" ? width !== 1280 || cookies === RTL : width !== 320 || cookies !== RTL))
  .slice(0, scale(0, Number.POSITIVE_INFINITY));

/** So that no core has nothing to do while one worker goes round; at full scale nothing is beside what is measured. */
const ROUNDS_AT_ONCE = scale(2, 1);

/** How much slower than this machine a browser's own device is taken to be: it then paints what has come of a page, and more as more comes. */
const SLOW_DEVICE = 6;

/** What holds for every page: the bars, their sentence, and what is counted. */
const RULES = {
  axe: {
    bars: ["U6", "H9"],
    sentence: "axe finds nothing on any page in any look",
    measure: `axe violations on every page in ${OTHER_LOOKS.length + 2} looks`,
  },
  skeleton: {
    bars: ["U20"],
    sentence: "each page has its title, one h1, its landmarks and a skip link; no two pages share a title",
    measure: "pages without a part of their skeleton",
  },
  targets: { bars: ["U7"], sentence: "every target is at least 24 pixels either way, and 44 high for a finger", measure: "targets that are too small" },
  words: {
    bars: ["U11"],
    sentence: "in the pseudo-locale every text is translated and no label is cut off; nor in Arabic",
    measure: "clipped labels and hard-coded texts",
  },
  enlarged: {
    bars: ["U12"],
    sentence: "at 400 % no page has to be scrolled sideways, at 200 % neither, and more space between letters cuts nothing off",
    measure: "pages that cannot be enlarged",
  },
  motion: { bars: ["U19"], sentence: "who asks for less motion gets none", measure: "moving elements" },
  nextStep: { bars: ["U21"], sentence: "each page that is empty, refused or not there offers a next step", measure: "dead ends" },
  privacy: { bars: ["P1"], sentence: "no page asks a third party for anything", measure: "requests to third parties on every page" },
  silence: { bars: ["H10"], sentence: "no browser reports an error on any page", measure: "errors and policy violations in browsers, on every page" },
} as const;

type Rule = keyof typeof RULES;

const ROUNDS: Round[] = [
  {
    options: { reducedMotion: "reduce", ...WIDE },
    checks: { skeleton: missingParts, targets: (page) => smallTargets(page, 24), motion: movingElements, nextStep: deadEnds, axe },
  },
  { options: { hasTouch: true, isMobile: true, ...PHONE }, checks: { targets: (page) => smallTargets(page, 44) } },
  { cookies: PSEUDO, options: PHONE, checks: { words: async (page, { data }) => [...(await untranslatedTexts(page, data)), ...(await cutOff(page))] } },
  { cookies: RTL, options: NARROW, checks: { words: cutOff, axe } },
  // 1280 pixels wide: at 400 % 320 are left, at 200 % 640 (WCAG 2.2, 1.4.10 and 1.4.4).
  { options: { viewport: { width: 320, height: 256 } }, checks: { enlarged: scrolledSideways } },
  {
    options: { viewport: { width: 640, height: 512 }, bypassCSP: true },
    checks: { enlarged: async (page) => [...(await scrolledSideways(page)), ...(await cutOffWhenSpaced(page))] },
  },
  ...OTHER_LOOKS.map(({ colorScheme, width, cookies }) => ({ options: { colorScheme, viewport: { width, height: 800 } }, cookies, checks: { axe } })),
];

const test = base.extend<object, { found: Record<Rule, string[]> }>({
  /** What every round has found, each finding with the page before it. */
  found: [
    async ({ browser }, use) => {
      const found = Object.fromEntries(Object.keys(RULES).map((rule) => [rule, [] as string[]])) as Record<Rule, string[]>;
      const placesByTitle = new Map<string, Set<string>>();
      for await (const visit of everyVisit({ browser, problems: found.silence })) {
        // Each takes the next round that nobody has begun.
        const rounds = ROUNDS.values();
        const goRound = async () => {
          for (const round of rounds) await look(browser, { visit, round, found, placesByTitle });
        };
        await Promise.all(Array.from({ length: ROUNDS_AT_ONCE }, goRound));
      }
      found.privacy.push(...requestsElsewhere(found.silence));
      for (const [title, places] of placesByTitle) if (places.size > 1) found.skeleton.push(`${title}: ${[...places].join(", ")}`);
      await use(found);
    },
    { scope: "worker", timeout: scale(900_000, 1_800_000) },
  ],
});

type Look = { visit: Visit; round: Round; found: Record<Rule, string[]>; placesByTitle: Map<string, Set<string>> };

/** Opens every page of a visit, one after another, and notes what the round's checks find. */
async function look(browser: Browser, { visit, round, found, placesByTitle }: Look): Promise<void> {
  const context = await browser.newContext({ baseURL: visit.site.url, locale: "en-GB", ...round.options });
  context.setDefaultTimeout(LONGEST_STEP_MS);
  watch(context, found.silence);
  await context.addCookies([...visit.cookies, ...lookCookies(round, visit.site.url)]);
  const page = await context.newPage();
  for (const sitePage of visit.pages) {
    await open(page, sitePage);
    for (const [rule, findings] of await checkPage(page, sitePage, round)) found[rule].push(...findings);
    if (round.checks.skeleton) notePlace(placesByTitle, await page.title(), sitePage.path);
  }
  await context.close();
}

function lookCookies({ cookies = {} }: Round, url: string) {
  return Object.entries(cookies).map(([name, value]) => ({ name, value, url }));
}

/** What each check of a round finds on a page, with the page and the look before it. */
async function checkPage(page: Page, sitePage: SitePage, { options, cookies, checks }: Round): Promise<[Rule, string[]][]> {
  const place = `${sitePage.as} ${sitePage.path}${sitePage.deed ? ` ${sitePage.deed.name}` : ""} ${JSON.stringify({ ...options, ...cookies })}`;
  const findings: [Rule, string[]][] = [];
  for (const [rule, check] of Object.entries(checks) as [Rule, Check][])
    findings.push([rule, (await check(page, sitePage)).map((finding) => `${place}: ${finding}`)]);
  return findings;
}

/** The same address with another query, or another step of its form, may have the same title. */
function notePlace(placesByTitle: Map<string, Set<string>>, title: string, path: string): void {
  const places = placesByTitle.get(title) ?? new Set();
  placesByTitle.set(title, places.add(path.split(/[?#]/)[0] ?? path));
}

/** How large a target is that lies half under an open menu says nothing: `targets` measures it as it is. */
function axe(page: Page, { deed }: SitePage): Promise<string[]> {
  return axeViolations(page, deed?.covers ? ["target-size"] : []);
}

async function scrolledSideways(page: Page): Promise<string[]> {
  const pixels = await sidewaysScroll(page);
  return pixels > 0 ? [`scrolls sideways by ${pixels} pixels`] : [];
}

async function cutOff(page: Page): Promise<string[]> {
  return [...(await clippedLabels(page)), ...(await scrolledSideways(page))];
}

/** What is cut off with as much space between lines, words and letters as people may want (WCAG 2.2, 1.4.12). */
async function cutOffWhenSpaced(page: Page): Promise<string[]> {
  await page.addStyleTag({
    content: "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }",
  });
  return cutOff(page);
}

/** What has moved on the page by itself since it began, and from where to where. */
function whatMoved(): string[] {
  const observer = new PerformanceObserver(() => undefined);
  observer.observe({ type: "layout-shift", buffered: true });
  const shifts = observer.takeRecords() as (PerformanceEntry & { sources: { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[] })[];
  return shifts.map(({ sources }) =>
    sources.map(({ node, previousRect: from, currentRect: to }) => `${node?.nodeName} from ${from.x},${from.y} to ${to.x},${to.y}`).join("; "),
  );
}

test.describe("every page, with JavaScript", WITH_JAVASCRIPT, () => {
  for (const [rule, { bars, sentence, measure }] of Object.entries(RULES)) {
    test(`${bars.join(", ")}: ${sentence}`, async ({ found }) => {
      const findings = found[rule as Rule];
      for (const bar of bars) reportBar({ bar, measure, figure: findings.length, ok: findings.length === 0 });
      expect(findings).toEqual([]);
    });
  }

  test("U18: the chosen theme is there with the first byte: nothing flashes, nothing moves, in 20 loads on a slow device", async ({
    browser,
    site,
    problems,
  }) => {
    test.slow();
    const wrong: string[] = [];
    for (let load = 0; load < 20; load++) {
      const context = await browser.newContext({ baseURL: site.url, colorScheme: "light" });
      watch(context, problems);
      await context.addCookies([{ name: "heard-theme", value: "dark", url: site.url }]);
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DEVICE });

      const response = await page.goto("/");
      if (!/<html[^>]+data-theme="dark"/.test((await response?.text()) ?? "")) wrong.push(`load ${load}: not dark at once`);
      await page.waitForLoadState("networkidle");
      wrong.push(...(await page.evaluate(whatMoved)).map((moved) => `load ${load}: ${moved}`));
      const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
      if (scheme !== "dark") wrong.push(`load ${load}: ${scheme} in the end`);
      await context.close();
    }

    reportBar({
      bar: "U18",
      measure: "flashes and shifts in 20 loads on a slow device",
      figure: wrong.length,
      ok: wrong.length === 0,
    });
    expect(wrong).toEqual([]);
  });
});

test("the look and the language chosen in the footer are there at once, and the page stays", async ({ page }) => {
  await page.goto("/search?q=kites");
  await page
    .getByRole("contentinfo")
    .getByRole("button", { name: t("site.themes.dark") })
    .click();

  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const colors = () =>
    page.locator("meta[name=theme-color]").evaluateAll((all) => all.map((meta) => [meta.getAttribute("media"), meta.getAttribute("content")]));
  await expect.poll(colors).toEqual([[null, "#1c1a18"]]);
  await page.getByRole("contentinfo").locator("summary").click();
  await page.getByRole("contentinfo").getByRole("button", { name: "Deutsch" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(page).toHaveURL("/search?q=kites");
});
