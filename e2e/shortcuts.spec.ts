import type { Page } from "@playwright/test";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { enter, press, tabTo } from "./keys.ts";
import { makeBoards } from "./many.ts";
import { signUpByApi, unique } from "./people.ts";
import { t } from "./words.ts";

const help = (page: Page) => page.getByRole("dialog", { name: t("keyboard.title") });
const palette = (page: Page) => page.getByRole("dialog", { name: t("keyboard.palette.title") });

/** Where the keys go, once the page listens to them: help comes up. */
async function openHelp(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press("?");
    await expect(help(page)).toBeVisible({ timeout: 1000 });
  }).toPass();
}

test.describe("with JavaScript", WITH_JAVASCRIPT, () => {
  test("? shows what the keys do, and Escape leads back to where one was", async ({ ownerPage: page }) => {
    await page.goto("/dashboard");
    const link = page.getByRole("link", { name: t("dashboard.viewSite") });
    await tabTo(page, link);

    await openHelp(page);
    await expect(help(page)).toContainText(t("keyboard.goBoards"));
    await press(page, "Escape", () => expect(help(page)).toBeHidden());

    await expect(link).toBeFocused();
  });

  test("two keys one after another lead to a page, and c makes a board", async ({ ownerPage: page }) => {
    await page.goto("/");
    await openHelp(page);
    await press(page, "Escape", () => expect(help(page)).toBeHidden());

    await page.keyboard.press("g");
    await press(page, "b", () => expect(page).toHaveURL("/dashboard/boards"));
    await press(page, "c", () => expect(page).toHaveURL("/dashboard/boards/new"));
  });

  test("j and k move through a list, however fast, and / to the search", async ({ page, request, site }) => {
    await makeBoards(request, site.url, [unique("One"), unique("Two"), unique("Three")]);
    await page.goto("/?created=desc");
    await openHelp(page);
    await press(page, "Escape", () => expect(help(page)).toBeHidden());
    const links = page.getByRole("main").getByRole("listitem").getByRole("heading", { level: 3 }).getByRole("link");

    for (const [key, index] of [
      ["j", 0],
      ["j", 1],
      ["j", 2],
      ["k", 1],
    ] as const)
      await press(page, key, () => expect(links.nth(index)).toBeFocused());
    await press(page, "/", () => expect(page.getByRole("main").getByRole("searchbox")).toBeFocused());
    await page.keyboard.type("jk g?");

    await expect(page.getByRole("main").getByRole("searchbox")).toHaveValue("jk g?");
    await expect(help(page)).toBeHidden();
  });

  test("Ctrl+K finds pages, boards and people, and Enter goes there", async ({ ownerPage: page, request, site }) => {
    const name = unique("Lanterns");
    await makeBoards(request, site.url, [name]);
    const { email } = await signUpByApi(request);
    await page.goto("/dashboard");
    await openHelp(page);
    await press(page, "Escape", () => expect(help(page)).toBeHidden());
    const wanted = [
      [name.toLowerCase(), name, /\/boards\/lanterns/],
      [email.split("@")[0] ?? "", "", /\/dashboard\/users\//],
      [t("keyboard.goMail"), t("keyboard.goMail"), /\/settings\/mail$/],
    ] as const;

    for (const [typed, option, address] of wanted) {
      await press(page, "ControlOrMeta+K", () => expect(palette(page).getByRole("combobox")).toBeFocused());
      await page.keyboard.type(typed);
      const first = palette(page).getByRole("option").first();
      await expect(option ? first : palette(page).getByRole("group", { name: t("keyboard.palette.people") })).toContainText(option);
      await press(page, "Enter", () => expect(page).toHaveURL(address));
      await expect(palette(page)).toBeHidden();
    }
    await press(page, "ControlOrMeta+K", () => expect(palette(page)).toBeVisible());
    await press(page, "Escape", () => expect(palette(page)).toBeHidden());
  });

  test("who turns the keys off has them off until they are turned on again", async ({ ownerPage: page }) => {
    const keysDo = async (address: string) => {
      await page.keyboard.press("g");
      await page.keyboard.press("b");
      await expect(page).toHaveURL(address);
    };
    await page.goto("/dashboard");
    await openHelp(page);
    await enter(page, help(page).getByRole("button", { name: t("keyboard.turnOff") }), () => expect(help(page)).toContainText(t("keyboard.off")));
    await press(page, "Escape", () => expect(help(page)).toBeHidden());
    await keysDo("/dashboard");
    await page.reload();

    await openHelp(page);
    await expect(help(page)).toContainText(t("keyboard.off"));
    await press(page, "Escape", () => expect(help(page)).toBeHidden());
    await keysDo("/dashboard");
    await openHelp(page);
    await enter(page, help(page).getByRole("button", { name: t("keyboard.turnOn") }), () => expect(help(page)).toContainText(t("keyboard.goBoards")));
    await press(page, "Escape", () => expect(help(page)).toBeHidden());
    await keysDo("/dashboard/boards");
  });
});
