import type { Page } from "@playwright/test";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { enter, press, tabTo } from "./keys.ts";
import { makeBoards } from "./many.ts";
import { expectSignedOut, signIn, signUpByApi, unique } from "./people.ts";
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

/** Chooses a command of the palette by its title. */
async function choose(page: Page, title: string): Promise<void> {
  await openPalette(page);
  await page.keyboard.type(title);
  await expect(palette(page).getByRole("option").first()).toContainText(title);
  await page.keyboard.press("Enter");
  await expect(palette(page)).toBeHidden();
}

async function openPalette(page: Page): Promise<void> {
  await press(page, "ControlOrMeta+K", () => expect(palette(page).getByRole("combobox")).toBeFocused());
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

  test("j and k move through a list, however fast, and o opens what they came to", async ({ page, request, site }) => {
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
    await press(page, "o", () => expect(page).toHaveURL(/\/boards\/two/));
  });

  test("/ leads to the search, and what is typed there are letters, no shortcuts", async ({ page, request, site }) => {
    await makeBoards(request, site.url, [unique("Only")]);
    await page.goto("/");
    await openHelp(page);
    await press(page, "Escape", () => expect(help(page)).toBeHidden());
    const search = page.getByRole("main").getByRole("searchbox");

    await press(page, "/", () => expect(search).toBeFocused());
    await page.keyboard.type("jk g?");

    await expect(search).toHaveValue("jk g?");
    await expect(help(page)).toBeHidden();
  });

  test("Ctrl+K finds pages, boards and people, and Enter goes there", async ({ ownerPage: page, request, site }) => {
    const name = unique("Lanterns");
    await makeBoards(request, site.url, [name]);
    const person = await signUpByApi(request);
    await page.goto("/dashboard");
    await openHelp(page);
    await press(page, "Escape", () => expect(help(page)).toBeHidden());
    const wanted = [
      [name.toLowerCase(), name, /\/boards\/lanterns/],
      [person.email.split("@")[0] ?? "", person.name, new RegExp(`/dashboard/users/${person.userId}$`)],
      [t("keyboard.goMail"), t("keyboard.goMail"), /\/settings\/mail$/],
    ] as const;

    for (const [typed, option, address] of wanted) {
      await press(page, "ControlOrMeta+K", () => expect(palette(page).getByRole("combobox")).toBeFocused());
      await page.keyboard.type(typed);
      await expect(palette(page).getByRole("option").first()).toContainText(option);
      await press(page, "Enter", () => expect(page).toHaveURL(address));
      await expect(palette(page)).toBeHidden();
    }
    await press(page, "ControlOrMeta+K", () => expect(palette(page)).toBeVisible());
    await press(page, "Escape", () => expect(palette(page)).toBeHidden());
  });

  test("the palette forgives a typing mistake, and puts first what it found without one", async ({ ownerPage: page, request, site }) => {
    const name = unique("Settongs");
    await makeBoards(request, site.url, [name]);
    await page.goto("/dashboard");
    await openHelp(page);
    await press(page, "Escape", () => expect(help(page)).toBeHidden());
    await press(page, "ControlOrMeta+K", () => expect(palette(page).getByRole("combobox")).toBeFocused());
    const options = palette(page).getByRole("option");

    await page.keyboard.type("settongs");
    await expect(options.first()).toContainText(name);
    await expect(options.filter({ hasText: t("keyboard.goSettings") })).toBeVisible();
    await palette(page).getByRole("combobox").fill("setings go");
    await expect(options.first()).toContainText(t("keyboard.goSettings"));
    await press(page, "Enter", () => expect(page).toHaveURL("/dashboard/settings"));
  });

  test("the palette opens again in the very moment that it is closed", async ({ ownerPage: page }) => {
    await page.goto("/dashboard");
    await openHelp(page);
    await press(page, "Escape", () => expect(help(page)).toBeHidden());
    await press(page, "ControlOrMeta+K", () => expect(palette(page).getByRole("combobox")).toBeFocused());

    await page.evaluate(() => {
      // The browser tells of the closing in a task of its own, which comes after this one.
      document.querySelector("dialog")?.close();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true }));
      return new Promise((resolve) => setTimeout(resolve, 300));
    });

    await expect(palette(page).getByRole("combobox")).toBeFocused();
    await press(page, "Escape", () => expect(palette(page)).toBeHidden());
  });

  test("two keys lead to a page though the first is pressed in the very moment that a window is closed", async ({ ownerPage: page }) => {
    await page.goto("/dashboard");
    await openHelp(page);

    await page.evaluate(() => {
      // The browser tells of the closing in a task of its own, which comes after this one.
      const closed = new Promise((resolve) => document.querySelector("dialog")?.addEventListener("close", resolve));
      document.querySelector("dialog")?.close();
      const pressKey = (key: string) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      pressKey("g");
      return closed.then(() => setTimeout(() => pressKey("b"), 100));
    });

    await expect(page).toHaveURL("/dashboard/boards");
  });

  test("Ctrl+Enter in a field of many lines sends its form, and the help says so", async ({ ownerPage: page }) => {
    const name = unique("Kites");
    await page.goto("/dashboard/boards/new");
    await openHelp(page);
    await expect(help(page)).toContainText(t("keyboard.send"));
    await press(page, "Escape", () => expect(help(page)).toBeHidden());
    await page.getByLabel(t("fields.name"), { exact: true }).fill(name);
    const description = page.getByLabel(t("fields.descriptionOptional"));
    await description.fill("One");

    await description.press("Enter");
    await page.keyboard.type("Two");
    await expect(description).toHaveValue("One\nTwo");
    await page.keyboard.press("ControlOrMeta+Enter");

    await expect(page).toHaveURL(/\/dashboard\/boards\?/);
    await expect(page.getByRole("main").getByRole("link", { name, exact: true })).toBeVisible();
  });

  test("the palette copies the page's link, changes the look and signs out; it promises a member no people", async ({ ownerPage, newVisitor, request }) => {
    const member = await newVisitor();
    await signIn(member, await signUpByApi(request));
    await member.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const placeholders = [
      [ownerPage, t("keyboard.placeholders.team")],
      [member, t("keyboard.placeholders.member")],
    ] as const;
    for (const [page, placeholder] of placeholders) {
      await page.goto("/search?q=kites");
      await openHelp(page);
      await press(page, "Escape", () => expect(help(page)).toBeHidden());
      await press(page, "ControlOrMeta+K", () => expect(palette(page).getByPlaceholder(placeholder, { exact: true })).toBeFocused());
      await press(page, "Escape", () => expect(palette(page)).toBeHidden());
    }

    await choose(member, t("keyboard.deeds.copyLink"));
    await expect(member.getByText(t("keyboard.palette.copied"))).toBeVisible();
    expect(await member.evaluate(() => navigator.clipboard.readText())).toBe(member.url());
    await choose(member, t("keyboard.deeds.dark"));
    await expect(member.locator("html")).toHaveAttribute("data-theme", "dark");
    await choose(member, t("keyboard.deeds.system"));
    await expect(member.locator("html")).not.toHaveAttribute("data-theme");
    await choose(member, t("site.signOut"));
    await expectSignedOut(member);
  });

  test("what one person chose lately is not offered to who signs in next in the same tab", async ({ newVisitor, request }) => {
    const page = await newVisitor();
    const lately = palette(page).getByText(t("keyboard.palette.recent"));
    await signIn(page, await signUpByApi(request));
    await choose(page, t("keyboard.goOwnAccount"));
    await expect(page).toHaveURL("/me");
    await openPalette(page);
    await expect(lately).toBeVisible();
    await press(page, "Escape", () => expect(palette(page)).toBeHidden());
    await choose(page, t("site.signOut"));
    await expectSignedOut(page);

    await signIn(page, await signUpByApi(request));
    await openPalette(page);

    await expect(lately).toHaveCount(0);
  });

  test("who turns the keys off has them off until they are turned on again", async ({ ownerPage: page }) => {
    const keysLeadTo = async (address: string) => {
      await page.keyboard.press("g");
      await page.keyboard.press("b");
      // Longer than they take where they are on.
      await page.waitForTimeout(1_000);
      await expect(page).toHaveURL(address);
    };
    await page.goto("/dashboard");
    await openHelp(page);
    await enter(page, help(page).getByRole("button", { name: t("keyboard.turnOff") }), () => expect(help(page)).toContainText(t("keyboard.off")));
    await press(page, "Escape", () => expect(help(page)).toBeHidden());
    await keysLeadTo("/dashboard");
    await page.reload();

    await openHelp(page);
    await expect(help(page)).toContainText(t("keyboard.off"));
    await press(page, "Escape", () => expect(help(page)).toBeHidden());
    await keysLeadTo("/dashboard");
    await openHelp(page);
    await enter(page, help(page).getByRole("button", { name: t("keyboard.turnOn") }), () => expect(help(page)).toContainText(t("keyboard.goBoards")));
    await press(page, "Escape", () => expect(help(page)).toBeHidden());
    await keysLeadTo("/dashboard/boards");
  });
});
