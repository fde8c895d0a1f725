import type { Page } from "@playwright/test";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { sidewaysScroll } from "./looks/page-checks.ts";
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

for (const path of ["/dashboard/users", "/dashboard/outbox"]) {
  test(`on ${path} the ways to filter stand in one row in a window of 320 pixels, and the search says all that it looks for`, async ({ ownerPage: page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(path);
    const ways = page.getByRole("main").locator("nav [aria-current=true]").locator("xpath=ancestor::ul").getByRole("link");
    const tops = await ways.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
    const field = page.getByRole("main").getByRole("searchbox");
    await field.fill((await field.getAttribute("placeholder")) ?? "");

    expect(tops.length).toBeGreaterThan(2);
    expect(new Set(tops).size).toBe(1);
    expect(await field.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });
}

test("the steps of the wizard stand in one row with a line each in a window of 320 pixels", WITH_JAVASCRIPT, async ({ startOwnServer, newVisitor }) => {
  const { url } = await startOwnServer();
  const page = await newVisitor({ url });
  await page.setViewportSize({ width: 320, height: 640 });
  for (const step of ["check", "site", "board"]) {
    await page.goto(`/setup#${step}`);
    const steps = page.getByRole("list", { name: t("setup.steps.label") }).getByRole("listitem");
    await expect(steps.and(page.locator("[aria-current=step]"))).toContainText(t(`setup.steps.${step}` as "setup.steps.check"));

    const boxes = await steps.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ top, height }) => `${top} ${height}`));
    expect(new Set(boxes).size, step).toBe(1);
    expect(await steps.first().evaluate((one) => one.getBoundingClientRect().height)).toBeLessThan(60);
  }
});

test("whom a letter went to stands beside the word before it, however long the address", async ({ ownerPage: page, request }) => {
  const email = `${crypto.randomUUID()}@example.com`;
  await request.post("/api/v1/auth/signup", { data: { email, password: "a long enough password" } });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/dashboard/outbox");

  const address = page.getByRole("main").locator("li bdi").filter({ hasText: email }).first();
  const tops = await address.evaluate((element) => {
    const topOf = (node: Node | null) => {
      const range = document.createRange();
      if (node) range.selectNodeContents(node);
      return range.getClientRects()[0]?.top;
    };
    return [topOf(element.previousSibling), topOf(element.querySelector("span"))];
  });

  expect(tops[0]).toBeDefined();
  expect(tops[0]).toBe(tops[1]);
});

test("what is said of a faint color has room in a window of 320 pixels, however long it is", WITH_JAVASCRIPT, async ({ ownerPage: page, site }) => {
  await page.context().addCookies([{ name: "heard-locale", value: "en-XA", url: site.url }]);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/dashboard/settings/branding");
  await page.locator("[name=accentColor]").fill("#ffe600");
  await expect(page.getByRole("main").locator("li bdi").first()).toHaveText("1.2:1");

  expect(await sidewaysScroll(page)).toBe(0);
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

test("no dot between two facts of a board dangles where their row wraps", async ({ ownerPage: page, site }) => {
  const made = await runToEnd("scripts/demo.ts", { DATA_DIR: site.dataDir, DATABASE_URL: site.databaseUrl }, ["--people=3", "--posts=60"]);
  expect(made).toMatchObject({ code: 0 });
  for (const path of ["/", "/dashboard/boards"]) {
    await page.goto(path);
    await expect.poll(() => countDots(page)).toBeGreaterThan(1);
    for (const width of [320, 375, 1440]) {
      await page.setViewportSize({ width, height: 640 });
      expect(await danglingDots(page), `${path} ${width}`).toEqual([]);
    }
  }
});

/** How many facts bring a dot, in sight or not. */
function countDots(page: Page): Promise<number> {
  return page
    .getByRole("main")
    .evaluate((main) => [...main.querySelectorAll("*")].filter((fact) => getComputedStyle(fact, "::before").content.startsWith('"·"')).length);
}

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
