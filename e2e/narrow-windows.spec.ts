import type { Page } from "@playwright/test";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { makeBoards } from "./many.ts";
import { runToEnd } from "./process/run.ts";
import { t } from "./words.ts";

test("the ways to sort stand in one row in a window of 320 pixels", async ({ page, request, site }) => {
  await makeBoards(request, site.url, ["One", "Two"]);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/");
  const ways = page.getByRole("navigation", { name: t("home.sort.label") }).getByRole("link");
  await expect(ways).toHaveCount(3);

  const tops = await ways.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));

  expect(new Set(tops).size).toBe(1);
});

test("how the site will look is shown above the way on, or beside the questions", WITH_JAVASCRIPT, async ({ startOwnServer, newVisitor }) => {
  const { url } = await startOwnServer();
  const page = await newVisitor({ url });
  for (const width of [320, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/setup");
    const [preview, next] = [page.getByText(t("setup.preview")), page.getByRole("button", { name: t("setup.steps.next") })];

    expect((await preview.boundingBox())?.y, `${width}`).toBeLessThan((await next.boundingBox())?.y ?? 0);
  }
});

test("no dot between two facts of a board dangles where their row wraps", async ({ page, site }) => {
  const made = await runToEnd("scripts/demo.ts", { DATA_DIR: site.dataDir, DATABASE_URL: site.databaseUrl }, ["--people=3", "--posts=60"]);
  expect(made).toMatchObject({ code: 0 });
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 3 }).first()).toBeVisible();

  for (const width of [320, 375, 1440]) {
    await page.setViewportSize({ width, height: 640 });
    expect(await danglingDots(page), `${width}`).toEqual([]);
  }
});

/** The facts that begin or end a line with a dot in sight: one of its own words, or one drawn before it within the row's edge. */
function danglingDots(page: Page): Promise<string[]> {
  return page.getByRole("main").evaluate((main) => {
    const alone = [...main.querySelectorAll("*")].filter(({ children, textContent }) => children.length === 0 && textContent?.trim() === "·");
    const drawn = [...main.querySelectorAll("*")].filter((fact) => getComputedStyle(fact, "::before").content.startsWith('"·"'));
    const first = drawn.filter((fact) => fact.previousElementSibling?.getBoundingClientRect().top !== fact.getBoundingClientRect().top);
    const inSight = first.filter((fact) => {
      const edge = fact.parentElement?.parentElement;
      const isCut = edge && getComputedStyle(edge).overflowX === "clip";
      return !isCut || fact.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(fact).paddingLeft) > edge.getBoundingClientRect().left + 1;
    });
    return [...alone, ...inSight].map(({ parentElement }) => parentElement?.textContent ?? "");
  });
}
