import type { BrowserContextOptions, Page } from "@playwright/test";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { test as base, databaseOf, expect, WITH_JAVASCRIPT } from "./fixtures.ts";
import { axeViolations, clippedLabels, missingParts, movingElements, sidewaysScroll, smallTargets, untranslatedTexts } from "./page-checks.ts";
import { everyPage, type Onlooker, type SitePage } from "./pages.ts";
import { signIn } from "./people.ts";
import { t } from "./words.ts";

type Look = { options?: BrowserContextOptions; cookies?: Record<string, string> };

type EveryPage = {
  /** Calls `check` on every page as each onlooker sees it, in a browser that looks like this; returns its findings with the page's path before each. */
  onEveryPage: (look: Look, check: (page: Page, site: SitePage) => Promise<string[]>) => Promise<string[]>;
};

const test = base.extend<EveryPage>({
  onEveryPage: async ({ browser, site, request, ownerPage }, use) => {
    const { pages, member } = await everyPage({ site, request, ownerPage });
    await use(async ({ options = {}, cookies = {} }, check) => {
      const found: string[] = [];
      for (const as of ["visitor", "member", "owner"] satisfies Onlooker[]) {
        const context = await browser.newContext({ baseURL: site.url, locale: "en-GB", ...options });
        const page = await context.newPage();
        if (as !== "visitor") await signIn(page, as === "owner" ? site.owner : member);
        await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: site.url })));
        for (const sitePage of pages.filter((one) => one.as === as)) {
          await page.goto(sitePage.path);
          found.push(...(await check(page, sitePage)).map((finding) => `${as} ${sitePage.path}: ${finding}`));
        }
        await context.close();
      }
      return found;
    });
  },
});

const RTL = { "heard-locale": "ar" };
const PSEUDO = { "heard-locale": "en-XA" };

const LOOKS = (["light", "dark"] as const).flatMap((scheme) => [320, 768, 1280].flatMap((width) => [{}, RTL].map((cookies) => ({ scheme, width, cookies }))));

/** Each look that a page can have, for axe: all of them at full scale, two that differ in everything in `npm test`. */
function looks() {
  const isOfTwo = ({ scheme, width, cookies }: (typeof LOOKS)[number]) =>
    scheme === "light" ? width === 1280 && cookies !== RTL : width === 320 && cookies === RTL;
  return LOOKS.toSorted((a, b) => Number(isOfTwo(b)) - Number(isOfTwo(a))).slice(0, scale(2, LOOKS.length));
}

test.describe("every page, with JavaScript", WITH_JAVASCRIPT, () => {
  test.describe.configure({ timeout: 600_000 });

  test("U6, H9: axe finds nothing on any page in any look", async ({ onEveryPage, site }) => {
    const found: string[] = [];
    for (const { scheme, width, cookies } of looks()) {
      const look = { options: { colorScheme: scheme, viewport: { width, height: 800 } }, cookies };
      found.push(...(await onEveryPage(look, axeViolations)).map((finding) => `${scheme} ${width} ${JSON.stringify(cookies)} ${finding}`));
    }

    const measure = `axe violations on every page in ${looks().length} looks`;
    for (const bar of ["U6", "H9"]) reportBar({ bar, measure, figure: found.length, database: databaseOf(site), ok: found.length === 0 });
    expect(found).toEqual([]);
  });

  test("U20: each page has its title, one h1, its landmarks and a skip link; no two pages share a title", async ({ onEveryPage, site }) => {
    const titles = new Map<string, Set<string>>();
    const found = await onEveryPage({}, async (page, { path }) => {
      const place = path.split("?")[0] ?? path;
      titles.set(await page.title(), (titles.get(await page.title()) ?? new Set()).add(place));
      return missingParts(page);
    });
    // A page that is refused, and one that is not there, are called by what is the matter.
    const shared = [...titles].filter(([, places]) => places.size > 1).map(([title, places]) => `${title}: ${[...places].join(", ")}`);

    reportBar({
      bar: "U20",
      measure: "pages without a part of their skeleton",
      figure: found.length + shared.length,
      database: databaseOf(site),
      ok: found.length + shared.length === 0,
    });
    expect([...found, ...shared]).toEqual([]);
  });

  test("U7: every target is at least 24 pixels either way, and 44 high for a finger", async ({ onEveryPage, site }) => {
    const byPointer = await onEveryPage({}, (page) => smallTargets(page, 24));
    const byFinger = await onEveryPage({ options: { hasTouch: true, isMobile: true, viewport: { width: 375, height: 800 } } }, (page) =>
      smallTargets(page, 44),
    );

    const figure = byPointer.length + byFinger.length;
    reportBar({ bar: "U7", measure: "targets that are too small", figure, database: databaseOf(site), ok: figure === 0 });
    expect([...byPointer, ...byFinger]).toEqual([]);
  });

  test("U11: in the pseudo-locale every text is translated and no label is cut off; nor in Arabic", async ({ onEveryPage, site }) => {
    const small = { viewport: { width: 375, height: 800 } };
    const found = [
      ...(await onEveryPage({ cookies: PSEUDO }, (page, { data }) => untranslatedTexts(page, data))),
      ...(await onEveryPage({ cookies: PSEUDO, options: small }, async (page) => [...(await clippedLabels(page)), ...(await scrolledSideways(page))])),
      ...(await onEveryPage({ cookies: RTL, options: small }, async (page) => [...(await clippedLabels(page)), ...(await scrolledSideways(page))])),
    ];

    reportBar({ bar: "U11", measure: "clipped labels and hard-coded texts", figure: found.length, database: databaseOf(site), ok: found.length === 0 });
    expect(found).toEqual([]);
  });

  test("U12: at 400 % nothing has to be scrolled sideways, at 200 % neither, and more space between letters cuts nothing off", async ({
    onEveryPage,
    site,
  }) => {
    const found = [
      // 1280 pixels wide: at 400 % 320 are left, at 200 % 640 (WCAG 2.2, 1.4.10 and 1.4.4).
      ...(await onEveryPage({ options: { viewport: { width: 320, height: 256 } } }, scrolledSideways)),
      ...(await onEveryPage({ options: { viewport: { width: 640, height: 512 } } }, scrolledSideways)),
      ...(await onEveryPage({ options: { viewport: { width: 640, height: 512 }, bypassCSP: true } }, async (page) => {
        // WCAG 2.2, 1.4.12.
        await page.addStyleTag({
          content: "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }",
        });
        return [...(await clippedLabels(page)), ...(await scrolledSideways(page))];
      })),
    ];

    reportBar({ bar: "U12", measure: "pages that cannot be enlarged", figure: found.length, database: databaseOf(site), ok: found.length === 0 });
    expect(found).toEqual([]);
  });

  test("U19: who asks for less motion gets none", async ({ onEveryPage, site }) => {
    const found = await onEveryPage({ options: { reducedMotion: "reduce" } }, movingElements);

    reportBar({ bar: "U19", measure: "moving elements", figure: found.length, database: databaseOf(site), ok: found.length === 0 });
    expect(found).toEqual([]);
  });

  test("U21: each page that is empty, refused or not there offers a next step", async ({ onEveryPage, site }) => {
    const found = await onEveryPage({}, async (page) => ((await page.locator("main").locator("a[href], button, input").count()) > 0 ? [] : ["no next step"]));

    reportBar({ bar: "U21", measure: "dead ends", figure: found.length, database: databaseOf(site), ok: found.length === 0 });
    expect(found).toEqual([]);
  });

  test("U18: the chosen theme is there with the first byte: nothing flashes, nothing moves, in 20 loads", async ({ browser, site }) => {
    const context = await browser.newContext({ baseURL: site.url, colorScheme: "light" });
    await context.addCookies([{ name: "heard-theme", value: "dark", url: site.url }]);
    const page = await context.newPage();
    let wrong = 0;

    for (let load = 0; load < 20; load++) {
      await page.addInitScript(() => {
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            document.documentElement.dataset.shift = String(Number(document.documentElement.dataset.shift ?? 0) + (entry as never as { value: number }).value);
        }).observe({ type: "layout-shift", buffered: true });
      });
      const response = await page.goto("/");
      const isDarkAtOnce = /<html[^>]+data-theme="dark"/.test((await response?.text()) ?? "");
      const [shift, scheme] = await page.evaluate(() => [
        Number(document.documentElement.dataset.shift ?? 0),
        getComputedStyle(document.documentElement).colorScheme,
      ]);
      if (!isDarkAtOnce || shift !== 0 || scheme !== "dark") wrong++;
    }
    await context.close();

    reportBar({ bar: "U18", measure: "loads of 20 with a flash or a shift", figure: wrong, database: databaseOf(site), ok: wrong === 0 });
    expect(wrong).toBe(0);
  });
});

async function scrolledSideways(page: Page): Promise<string[]> {
  const pixels = await sidewaysScroll(page);
  return pixels > 0 ? [`scrolls sideways by ${pixels} pixels`] : [];
}

test("the look and the language chosen in the footer are there at once, and the page stays", async ({ page }) => {
  await page.goto("/search?q=kites");
  await page
    .getByRole("contentinfo")
    .getByRole("button", { name: t("site.themes.dark") })
    .click();

  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByRole("contentinfo").locator("summary").click();
  await page.getByRole("contentinfo").getByRole("button", { name: "Deutsch" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(page).toHaveURL("/search?q=kites");
});
