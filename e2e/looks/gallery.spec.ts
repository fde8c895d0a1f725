import type { BrowserContext, Page } from "@playwright/test";
import { test as base, expect, WITH_JAVASCRIPT } from "../fixtures.ts";
import { startSite, type TestSite } from "../site.ts";
import { databaseTemplate } from "../template.ts";
import { watch } from "../watch.ts";
import { t } from "../words.ts";
import { axeViolations, sidewaysScroll } from "./page-checks.ts";

// Next's development mode compiles a page when it is first asked for.
const COMPILED_WITHIN_MS = 90_000;
const LOOKS = ["light", "dark"] as const;

const test = base.extend<{ newGallery: (width: number) => Promise<Page> }, { developed: TestSite }>({
  developed: [
    async ({}, use) => {
      const site = await startSite({ template: databaseTemplate(), isDev: true });
      await use(site);
      await site.remove();
    },
    { scope: "worker", timeout: 2 * COMPILED_WITHIN_MS },
  ],
  newGallery: async ({ browser, developed, problems }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (width) => {
      const context = await browser.newContext({ baseURL: developed.url, viewport: { width, height: 900 } });
      opened.push(context);
      context.setDefaultNavigationTimeout(COMPILED_WITHIN_MS);
      watch(context, problems);
      const page = await context.newPage();
      // The first time it is compiled meanwhile, which may load it anew.
      await page.goto("/gallery", { waitUntil: "networkidle" });
      await page.goto("/gallery");
      return page;
    });
    for (const context of opened) await context.close();
  },
});

test.describe("the gallery", WITH_JAVASCRIPT, () => {
  test.describe.configure({ timeout: 3 * COMPILED_WITHIN_MS });

  test("shows every part in light and dark; axe finds nothing in any of them", async ({ newGallery }) => {
    const page = await newGallery(1440);

    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("gallery.title"));
    expect(await axeViolations(page)).toEqual([]);
    await page.screenshot({ path: "test-results/gallery-1440.png", fullPage: true });
    for (const look of LOOKS) {
      const overlays = page.locator(`#overlays [data-theme=${look}]`);
      await page.locator("#navigation").scrollIntoViewIfNeeded();
      await overlays.locator("summary").click();
      expect(await axeViolations(page)).toEqual([]);
      await page.screenshot({ path: `test-results/gallery-menu-${look}.png` });
      await overlays.getByRole("button", { name: t("gallery.open") }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      expect(await axeViolations(page)).toEqual([]);
      await page.screenshot({ path: `test-results/gallery-dialog-${look}.png` });
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await overlays.getByRole("button", { name: t("gallery.show") }).click();
      await expect(overlays.getByRole("status")).toBeInViewport();
      expect(await axeViolations(page)).toEqual([]);
      await page.screenshot({ path: `test-results/gallery-toast-${look}.png` });
    }
  });

  test("shows what forms and results say, and fits a phone", async ({ newGallery }) => {
    const page = await newGallery(375);

    for (const look of LOOKS) {
      const form = page.locator(`#form [data-theme=${look}]`);
      await form.getByRole("button").click();
      await expect(form.getByRole("alert")).toBeFocused();
      const messages = page.locator(`#messages [data-theme=${look}]`);
      await messages.getByRole("button").click();
      await expect(messages.getByRole("status")).toBeFocused();
    }
    expect(await axeViolations(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    await page.screenshot({ path: "test-results/gallery-375.png", fullPage: true });
  });

  test("is not there in a built site", async ({ page }) => {
    const response = await page.goto("/gallery");

    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("problems.notFound.title"));
  });
});
