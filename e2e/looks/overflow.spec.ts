import type { Page } from "@playwright/test";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { test as base, expect, WITH_JAVASCRIPT } from "../fixtures.ts";
import { signIn } from "../people.ts";
import { t } from "../words.ts";
import { filled, MANY_BOARDS, type SiteAtItsLimits, startSiteAtItsLimits } from "./limits.ts";
import { sidewaysScroll } from "./page-checks.ts";
import { misplacedTexts } from "./text-boxes.ts";

const test = base.extend<object, { full: SiteAtItsLimits }>({
  full: [
    async ({}, use) => {
      const site = await startSiteAtItsLimits();
      await use(site);
      await site.remove();
    },
    { scope: "worker", timeout: 180_000 },
  ],
});

const BOARDS_A_PAGE = 20;
const LAST_PAGE = MANY_BOARDS / BOARDS_A_PAGE;

/** Where and how wide a page is looked at: the narrowest first, which is all that `npm test` takes. */
const LOOKS = [
  { width: 320, locale: "en" },
  { width: 320, locale: "ar" },
  { width: 768, locale: "en" },
  { width: 1440, locale: "en" },
];

function pagesOf({ boardIds, boardUrls, userIds }: SiteAtItsLimits) {
  const [board, user] = [`/dashboard/boards/${boardIds[0]}`, `/dashboard/users/${userIds[0]}`];
  const visitor = ["/", "/?page=100", `/?page=${LAST_PAGE}`, `/boards/${boardUrls[0]}`, `/boards/${boardUrls.at(-1)}`, `/search?q=${filled("W", 20)}`];
  const dashboard = ["/dashboard/boards", `/dashboard/boards?page=${LAST_PAGE}`, board, `${board}/delete`, "/dashboard/users", user, "/dashboard/outbox"];
  return { visitor, owner: ["/", "/dashboard", ...dashboard, "/dashboard/settings", "/dashboard/settings/branding", "/me"] };
}

test.describe("a site at its limits", WITH_JAVASCRIPT, () => {
  test.describe.configure({ timeout: 600_000 });

  test("U10: no text leaves its box and no page scrolls sideways", async ({ full, browser, problems }) => {
    const found: string[] = [];
    let photographs = 0;
    for (const { width, locale } of LOOKS.slice(0, scale(1, LOOKS.length))) {
      for (const [who, paths] of Object.entries(pagesOf(full))) {
        const context = await browser.newContext({ baseURL: full.url, viewport: { width, height: 800 } });
        const page = await context.newPage();
        if (who === "owner") await signIn(page, full.owner);
        await context.addCookies([{ name: "heard-locale", value: locale, url: full.url }]);
        for (const path of who === "owner" ? [...paths, await firstLetter(page)] : paths) {
          const response = await page.goto(path);
          if (response?.status() !== 200) problems.push(`${path} answered ${response?.status()}`);
          found.push(...(await overflows(page)).map((finding) => `${who} ${path} ${width} ${locale}: ${finding}`));
          photographs++;
          const name = `${width}-${locale}-${photographs}-${who}${path.replace(/\W+/g, "-").slice(0, 20)}`;
          await page.screenshot({ path: `test-results/overflow/${name}.png`, fullPage: true });
        }
        await context.close();
      }
    }

    const measure = `texts outside their boxes in ${photographs} screenshots of a site at its limits`;
    reportBar({ bar: "U10", measure, figure: found.length, ok: found.length === 0 });
    expect(found).toEqual([]);
  });

  test("ten thousand boards are paged to their end", async ({ full, newVisitor }) => {
    const page = await newVisitor({ url: full.url });

    await page.goto(`/?page=${LAST_PAGE - 1}`);
    await page.getByRole("link", { name: t("pages.next") }).click();
    await expect(page.getByText(t("pages.position", { page: LAST_PAGE, pages: LAST_PAGE }))).toBeVisible();
    await expect(page.getByRole("link", { name: t("pages.next") })).toHaveCount(0);
    await page.getByRole("link", { name: t("pages.previous") }).click();
    await expect(page).toHaveURL(new RegExp(`page=${LAST_PAGE - 1}$`));
    await page.getByRole("main").getByRole("heading", { level: 3 }).first().getByRole("link").click();
    await expect(page).toHaveURL(/\/boards\/board-number-/);
  });
});

for (const { width, locale } of [
  { width: 320, locale: "en" },
  { width: 375, locale: "ar" },
  { width: 768, locale: "en" },
  { width: 768, locale: "ar" },
  { width: 1440, locale: "en" },
]) {
  test(`at ${width} pixels, in ${locale}, every menu opens within the screen`, async ({ ownerPage: page, site }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.context().addCookies([{ name: "heard-locale", value: locale, url: site.url }]);
    await page.goto("/dashboard");

    const menus = await page.locator("details:has(> summary + div.absolute)").all();
    const boxes: string[] = [];
    for (const menu of menus) {
      await menu.locator("summary").click();
      const box = await menu.locator("> div").boundingBox();
      if (!box || box.x < 0 || box.x + box.width > width) boxes.push(JSON.stringify(box));
      await page.keyboard.press("Escape");
      if ((await menu.getAttribute("open")) !== null) await menu.locator("summary").click();
    }

    expect([menus.length >= 2, boxes]).toEqual([true, []]);
  });
}

/** The address of the newest letter, which the outbox shows first. */
async function firstLetter(page: Page): Promise<string> {
  await page.goto("/dashboard/outbox");
  return (await page.locator('main a[href^="/dashboard/outbox/"]').first().getAttribute("href")) ?? "";
}

/** On the page, and in the letter that it may show. */
async function overflows(page: Page): Promise<string[]> {
  const pixels = Math.max(...(await Promise.all(page.frames().map(sidewaysScroll))));
  return [...(pixels > 0 ? [`scrolls sideways by ${pixels} pixels`] : []), ...(await misplacedTexts(page))];
}
