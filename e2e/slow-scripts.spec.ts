import type { Page } from "@playwright/test";
import unanswered from "#messages/unanswered-form.json" with { type: "json" };
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { expectSignedIn, formButton, newPerson, signUpByApi, unique } from "./people.ts";
import { t } from "./words.ts";

const SCRIPTS = "**/_next/static/**/*.js*";

/** Opens a page whose scripts are asked for and never come, as on a bad connection. */
async function openBeforeScripts(page: Page, path: string): Promise<void> {
  await page.route(SCRIPTS, () => {});
  await page.goto(path, { waitUntil: "domcontentloaded" });
}

test.describe("before a page's scripts have come", WITH_JAVASCRIPT, () => {
  test("a refused sign-in says why and keeps the address, and the right password signs in", async ({ page, request }) => {
    const person = await signUpByApi(request);
    await openBeforeScripts(page, "/login");

    await page.getByLabel(t("fields.email")).fill(person.email);
    await page.getByLabel(t("fields.password")).fill("not the right one");
    await formButton(page, t("login.submit")).click({ noWaitAfter: true });
    await expect(page.getByText(t("errors.INVALID_CREDENTIALS"))).toBeVisible();
    await expect(page.getByLabel(t("fields.email"))).toHaveValue(person.email);
    await page.getByLabel(t("fields.password")).fill(person.password);
    await formButton(page, t("login.submit")).click({ noWaitAfter: true });

    await expectSignedIn(page);
  });

  test("a board is made in the dashboard", async ({ ownerPage: page }) => {
    const name = unique("Board");
    await openBeforeScripts(page, "/dashboard/boards/new");

    await page.getByLabel(t("fields.name")).fill(name);
    await formButton(page, t("boards.form.create")).click({ noWaitAfter: true });

    await expect(page.getByRole("main").getByText(name).first()).toBeVisible();
  });

  test("what was typed by then stays in fields that nobody touches afterwards, also where the next answer never comes", async ({ browser, site }) => {
    // Not watched: what fails here is an error in the browser's eyes, too.
    const context = await browser.newContext({ baseURL: site.url });
    const page = await context.newPage();
    // Not held back: those of this page would come as soon as the next one's may, and send the form themselves.
    await page.route(SCRIPTS, (route) => route.abort());
    await page.goto("/signup", { waitUntil: "domcontentloaded" });
    await page.locator("input[name=name]").fill("Åsa");
    await page.locator("input[name=email]").fill("asa at example");
    await page.unroute(SCRIPTS);
    await formButton(page, t("signup.submit")).click({ noWaitAfter: true });
    await expect(page.getByRole("button", { name: t("fields.showPassword") })).toBeVisible();
    await page.locator("input[name=email]").fill(newPerson().email);
    await page.route("/signup", (route) => route.abort("connectionreset"));

    await formButton(page, t("signup.submit")).click();

    await expect(page.getByRole("main").getByRole("alert")).toHaveText(unanswered.en);
    await expect(page.locator("input[name=name]")).toHaveValue("Åsa");
    await context.close();
  });

  test("who has moved on by then keeps the cursor there", async ({ page }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(SCRIPTS, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/login", { waitUntil: "commit" });
    const skipLink = page.getByRole("link", { name: t("site.skip") });
    await skipLink.focus();
    release();

    await expect(page.getByRole("button", { name: t("fields.showPassword") })).toBeVisible();
    await expect(skipLink).toBeFocused();
  });
});
