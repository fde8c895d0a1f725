import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { unseenFocus } from "./keys.ts";
import { expectSignedIn, signUpByApi } from "./people.ts";
import { t } from "./words.ts";

test("the header marks the part of the site that one is in", async ({ ownerPage: page }) => {
  const marked = page.getByRole("navigation", { name: t("site.navigation") }).locator("[aria-current]");
  for (const { path, name, is } of [
    { path: "/", name: t("site.boards"), is: "page" },
    { path: "/boards/nowhere", name: t("site.boards"), is: "true" },
    { path: "/search", name: t("site.search"), is: "page" },
    { path: "/dashboard/settings/about", name: t("site.dashboard"), is: "true" },
  ]) {
    await page.goto(path);
    await expect(marked).toHaveAccessibleName(name);
    await expect(marked).toHaveAttribute("aria-current", is);
  }
  await page.goto("/me");
  await expect(marked).toHaveCount(0);
});

test.describe("with JavaScript", WITH_JAVASCRIPT, () => {
  test("the first stop of the keyboard leads past the header", async ({ page }) => {
    // Not where signing in begins: there the cursor is past the header from the start.
    await page.goto("/signup");
    const skip = page.getByRole("link", { name: t("site.skip") });
    await expect(skip).not.toBeInViewport({ ratio: 1 });

    await page.keyboard.press("Tab");
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Enter");

    await expect(page.getByRole("main")).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(page.getByLabel(t("fields.nameOptional"))).toBeFocused();
  });

  test("the keyboard's focus is visible at every stop", async ({ ownerPage: page }) => {
    for (const path of ["/", "/dashboard/boards/new", "/dashboard/settings"]) {
      await page.goto(path);
      const stops = await page
        .locator("a[href], button, summary, textarea, select, input:not([type=hidden], [type=radio]:not(:checked))")
        .filter({ visible: true })
        .count();
      for (let stop = 0; stop < stops; stop++) {
        await page.keyboard.press("Tab");
        expect(await unseenFocus(page)).toEqual([]);
      }
    }
  });

  test("a form is sent by keyboard alone; what is wrong with it gets the focus, each time", async ({ page, request }) => {
    const person = await signUpByApi(request);
    const summary = page.getByRole("main").getByRole("alert");
    await page.goto("/login");
    await page.getByLabel(t("fields.email")).focus();

    for (let round = 0; round < 2; round++) {
      await page.keyboard.press("Enter");
      await expect(summary).toBeFocused();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("textbox", { name: t("fields.email") })).toBeFocused();
    }
    await page.keyboard.type(person.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(person.password);
    await page.keyboard.press("Enter");

    await expectSignedIn(page);
  });
});
