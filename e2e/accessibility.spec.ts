import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { reportBar } from "#lib/testing/bars";
import { databaseOf, expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { newestLetterTo } from "./letters.ts";
import { expectSignedIn, formButton, signUpByApi, unique } from "./people.ts";
import { t } from "./words.ts";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const LOOKS = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 320 },
] as const;

/** What axe finds on the page as it stands, in either look: a line for each rule and place. */
async function violations(page: Page): Promise<string[]> {
  const found: string[] = [];
  // The frame around a letter lets no script run in it, axe's neither.
  await page.locator("iframe").evaluateAll((frames) => frames.map((frame) => frame.remove()));
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
    for (const { id, nodes } of violations)
      found.push(...nodes.map(({ target, failureSummary }) => `${page.url()} ${colorScheme} ${width}: ${id} at ${target.join(" ")}: ${failureSummary}`));
  }
  return found;
}

test.describe("with JavaScript", WITH_JAVASCRIPT, () => {
  test("H9: axe finds nothing on any page", async ({ page, ownerPage, newVisitor, startOwnServer, request, site }) => {
    test.setTimeout(150_000);
    const headers = { authorization: `Bearer ${site.owner.authToken}` };
    const { board } = await (await request.post("/api/v1/boards", { data: { name: unique("Axe") }, headers })).json();
    const member = await signUpByApi(request);
    const found: string[] = [];
    const visit = async (visitor: Page, paths: string[]) => {
      for (const path of paths) {
        await visitor.goto(path);
        found.push(...(await violations(visitor)));
      }
      return paths.length;
    };

    let count = await visit(page, ["/", "/?page=99", `/boards/${board.url}`, "/login", "/signup", "/confirm-address", "/confirm-address?token=x", "/nowhere"]);
    await page.goto("/login");
    await formButton(page, t("login.submit")).click();
    await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
    found.push(...(await violations(page)));
    await newestLetterTo(ownerPage, member.email);
    const letter = new URL(ownerPage.url()).pathname;
    const ofBoard = `/dashboard/boards/${board.boardId}`;
    count += await visit(ownerPage, ["/", "/dashboard", "/dashboard/boards", "/dashboard/boards/new", ofBoard, `${ofBoard}/delete`]);
    count += await visit(ownerPage, ["/dashboard/settings", "/dashboard/outbox", letter]);
    const { url } = await startOwnServer();
    count += await visit(await newVisitor({ url }), ["/setup"]);

    reportBar({ bar: "H9", measure: `axe violations on ${count} pages`, figure: found.length, database: databaseOf(site), ok: found.length === 0 });
    expect(found).toEqual([]);
  });

  test("the first stop of the keyboard leads past the header", async ({ page }) => {
    await page.goto("/login");
    const skip = page.getByRole("link", { name: t("site.skip") });
    await expect(skip).not.toBeInViewport({ ratio: 1 });

    await page.keyboard.press("Tab");
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Enter");

    await expect(page.getByRole("main")).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(page.getByLabel(t("fields.email"))).toBeFocused();
  });

  test("the keyboard's focus is visible at every stop", async ({ ownerPage: page }) => {
    for (const path of ["/", "/dashboard/boards/new", "/dashboard/settings"]) {
      await page.goto(path);
      const stops = await page.locator("a[href], button, input:not([type=hidden])").count();
      for (let stop = 0; stop < stops; stop++) {
        await page.keyboard.press("Tab");
        const { name, outline } = await page.evaluate(() => {
          const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
          return { name: document.activeElement?.outerHTML.slice(0, 100), outline: outlineStyle === "none" ? 0 : Number.parseFloat(outlineWidth) };
        });
        expect(outline, `${path}: ${name}`).toBeGreaterThanOrEqual(2);
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
