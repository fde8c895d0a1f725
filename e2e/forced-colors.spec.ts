import type { Locator } from "@playwright/test";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { makeBoards } from "./many.ts";
import { signIn } from "./people.ts";
import { OWNER } from "./site.ts";
import { t } from "./words.ts";

/** The frame around it: where the system chooses the colors, no wash of color is seen. */
function frameOf(part: Locator): Promise<string> {
  return part.evaluate((element) => {
    const { outlineStyle, outlineWidth, borderWidth } = getComputedStyle(element);
    return `${outlineStyle === "none" ? "0px" : outlineWidth} ${borderWidth}`;
  });
}

test("with the system's colors the chosen look of the site is told from the others", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/");
  const choice = (theme: "system" | "light" | "dark") => page.getByRole("button", { name: t(`site.themes.${theme}`), exact: true });

  expect(await frameOf(choice("light"))).toBe(await frameOf(choice("dark")));
  expect(await frameOf(choice("system"))).not.toBe(await frameOf(choice("light")));
});

test("with the system's colors the chosen emoji is told from the others", async ({ ownerPage: page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/dashboard/boards/new");
  await page
    .locator("summary")
    .filter({ hasText: t("boards.form.emoji") })
    .click();
  const choices = page.getByRole("group", { name: t("boards.form.emoji") }).getByRole("radio");

  expect(await frameOf(choices.nth(1))).toBe(await frameOf(choices.nth(2)));
  expect(await frameOf(choices.nth(0))).not.toBe(await frameOf(choices.nth(1)));
});

test("with the system's colors the steps that are done are told from those to come", async ({ startOwnServer, newVisitor, request }) => {
  const { url } = await startOwnServer();
  await request.post(`${url}/api/v1/auth/setup`, { data: OWNER });
  await makeBoards(request, url, ["Ideas"]);
  const page = await newVisitor({ url });
  await signIn(page, OWNER);
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/dashboard");
  const pieces = page.getByRole("region", { name: t("dashboard.firstSteps.title") }).locator("p > span > span");
  await expect(pieces).toHaveCount(5);

  // How much of a color shines through is told, too, and is not seen where both are the page's own.
  const colors = await pieces.evaluateAll((all) => all.map((piece) => getComputedStyle(piece).backgroundColor.match(/\d+/g)?.slice(0, 3).join()));
  expect(new Set(colors).size).toBe(2);
});

test("with the system's colors only the section shown is marked among those of the settings", async ({ ownerPage: page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/dashboard/settings/branding");
  const section = (name: "general" | "branding" | "access") => page.getByRole("main").getByRole("link", { name: t(`settings.sections.${name}`), exact: true });

  expect(await frameOf(section("general"))).toBe("0px 0px");
  expect(await frameOf(section("access"))).toBe("0px 0px");
  expect(await frameOf(section("branding"))).not.toBe("0px 0px");
});

test("with the system's colors the wizard's preview keeps its button and its lines", async ({ startOwnServer, newVisitor }) => {
  const { url } = await startOwnServer();
  const page = await newVisitor({ url });
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/setup");
  const preview = page.getByText(t("setup.preview")).locator("..");

  expect(await frameOf(preview.getByText(t("site.signUp")))).toBe("0px 1px");
  expect(await frameOf(preview.locator("span:empty").first())).toBe("0px 1px");
});

test("with the system's colors a password's meter is seen, and how far it is filled", WITH_JAVASCRIPT, async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/signup");
  await page.getByLabel(t("fields.password"), { exact: true }).fill("plum-tractor");
  const bars = page.getByText(t("fields.strength.fair"), { exact: true }).locator("..").locator("span:empty");
  await expect(bars).toHaveCount(4);

  const [filled, empty] = await bars.evaluateAll((all) => [all[2], all[3]].map((bar) => bar && getComputedStyle(bar).backgroundColor));
  expect(filled).not.toBe(empty);
  expect(await frameOf(bars.nth(3))).toBe("0px 1px");
});
