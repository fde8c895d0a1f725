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

    for (const password of ["not the right one", person.password]) {
      await page.getByLabel(t("fields.email")).fill(person.email);
      await page.getByLabel(t("fields.password")).fill(password);
      await formButton(page, t("login.submit")).click({ noWaitAfter: true });
      if (password === person.password) break;
      await expect(page.getByText(t("errors.INVALID_CREDENTIALS"))).toBeVisible();
      await expect(page.getByLabel(t("fields.email"))).toHaveValue(person.email);
    }

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

test("a browser that keeps no cookies is told so before it tries to sign in", WITH_JAVASCRIPT, async ({ page }) => {
  await page.goto("/login");
  await expect(formButton(page, t("login.submit"))).toBeVisible();
  await expect(page.getByText(t("login.cookiesBlocked"))).toHaveCount(0);

  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "cookieEnabled", { get: () => false }));
  await page.reload();

  await expect(page.getByText(t("login.cookiesBlocked"))).toBeVisible();
});

test("a new password is judged while it is typed", WITH_JAVASCRIPT, async ({ page }) => {
  await page.goto("/signup");
  const field = page.getByLabel(t("fields.password"));

  for (const [password, strength] of [
    ["short", "short"],
    ["aaaaaaaaaaaa", "weak"],
    ["plum-tractor", "fair"],
    ["plum tractor envelope", "strong"],
  ] as const) {
    await field.fill(password);
    await expect(page.getByText(t(`fields.strength.${strength}`), { exact: true })).toBeVisible();
  }
});
