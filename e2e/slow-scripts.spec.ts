import type { Page } from "@playwright/test";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { expectSignedIn, formButton, signUpByApi, unique } from "./people.ts";
import { t } from "./words.ts";

/** Opens a page whose scripts are asked for and never come, as on a bad connection. */
async function openBeforeScripts(page: Page, path: string): Promise<void> {
  await page.route("**/_next/static/**/*.js*", () => {});
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
});
