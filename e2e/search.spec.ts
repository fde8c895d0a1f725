import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { holdAnswer } from "./held-answer.ts";
import { makeBoards } from "./many.ts";
import { formButton, unique } from "./people.ts";
import { t } from "./words.ts";

const found = (count: number, query: string) => t.markup("search.found", { count, query: () => query });

test("from the first page a board is found by its name or description, with a typing mistake too", async ({ page, request, site }) => {
  const word = unique("Quixotic");
  await makeBoards(request, site.url, [{ name: `🪁 ${word}` }, { name: "Elsewhere", description: `Also on ${word}` }]);

  await page.goto("/");
  await page
    .getByRole("main")
    .getByRole("searchbox", { name: t("search.label") })
    .fill(word.toLowerCase());
  await formButton(page, t("search.submit")).click();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(found(2, word.toLowerCase()));
  await expect(page.getByRole("searchbox")).toHaveValue(word.toLowerCase());
  await expect(page.getByRole("heading", { level: 3 })).toHaveText([/Quixotic/, "Elsewhere"]);

  await page.goto(`/search?q=${word.replace("xo", "ox")}`);
  await expect(page.getByRole("heading", { level: 3 }).first()).toContainText(word);
});

test("where nothing fits the page says for what, and leads on", async ({ page }) => {
  await page.goto("/search");
  await expect(page.getByText(t("search.hint"))).toBeVisible();

  await page.goto("/search?q=%25zzzzzzzz%25");
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(found(0, "%zzzzzzzz%"));
  await page.getByRole("link", { name: t("search.clear") }).click();
  await expect(page).toHaveURL("/search");
  await expect(page.getByRole("searchbox")).toHaveValue("");

  await page.goto("/?q=%25zzzzzzzz%25");
  await page.getByRole("link", { name: t("search.clear") }).click();
  await expect(page).toHaveURL("/");
});

test("a page past the end of a search still says how much was found, and leads to where it is", async ({ page, ownerPage, request, site }) => {
  const word = unique("Perennial");
  await makeBoards(request, site.url, [{ name: word }, { name: "Elsewhere", description: `Also on ${word}` }]);

  for (const path of [`/search?q=${word}&page=2`, `/search?q=${word}&page=9`, `/?q=${word}&page=9`]) {
    await page.goto(path);
    await expect(page.getByRole("main").getByRole("heading", { level: 2 }), path).toHaveText(found(2, word));
    await expect(page.getByText(t("search.end.title")), path).toBeVisible();
  }
  await page.getByRole("link", { name: t("search.end.first") }).click();
  await expect(page.getByRole("main").getByRole("heading", { level: 3 })).toHaveText([word, "Elsewhere"]);

  await ownerPage.goto(`/dashboard/boards?q=${word}&page=9`);
  await expect(ownerPage.getByRole("main").getByRole("status")).toHaveText(t("boards.found", { count: 2, query: word }));
  await expect(ownerPage.getByText(t("search.end.title"))).toBeVisible();
});

test("a private board is found by the team alone", async ({ page, ownerPage, request, site }) => {
  const name = unique("Hush");
  await makeBoards(request, site.url, [{ name, isPrivate: true }]);

  for (const visitor of [page, ownerPage]) await visitor.goto(`/search?q=${name}`);

  await expect(page.getByRole("heading", { level: 2 })).toHaveText(found(0, name));
  await expect(ownerPage.getByRole("heading", { level: 2 })).toHaveText(found(1, name));
});

test("results follow the typing, and neither the focus nor the caret moves", WITH_JAVASCRIPT, async ({ page, request, site }) => {
  const name = unique("Zephyr");
  await makeBoards(request, site.url, [name]);
  await page.goto("/search");
  const field = page.getByRole("searchbox");
  await expect(field).toBeFocused();

  await field.pressSequentially(name, { delay: 30 });
  await expect(page).toHaveURL(`/search?q=${name}`);
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(found(1, name));
  await field.press("Home");
  await field.pressSequentially("x");
  await expect(page.getByRole("heading", { level: 2 })).not.toHaveText(found(1, name));

  await expect(field).toBeFocused();
  await expect(field).toHaveValue(`x${name}`);
  expect(await field.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(1);
});

test(
  "on the first page, too, results follow the typing, in the place of the boards and without another page",
  WITH_JAVASCRIPT,
  async ({ page, request, site }) => {
    const name = unique("Halcyon");
    await makeBoards(request, site.url, [{ name }, { name: unique("Elsewhere") }]);
    await page.goto("/");
    await page.evaluate(() => document.documentElement.setAttribute("data-same-page", ""));
    const main = page.getByRole("main");
    const field = main.getByRole("searchbox");
    const place = await field.boundingBox();

    await field.pressSequentially(name.toLowerCase(), { delay: 30 });
    await expect(page).toHaveURL(`/?q=${name.toLowerCase()}`);
    await expect(main.getByRole("heading", { level: 2 })).toHaveText(found(1, name.toLowerCase()));
    await expect(main.getByRole("heading", { level: 3 })).toHaveText([name]);
    await expect(field).toBeFocused();
    expect(await field.boundingBox(), "the field stays where it is").toEqual(place);
    await expect(page.locator("html"), "nothing was loaded anew").toHaveAttribute("data-same-page");

    await page.goto("about:blank");
    await page.goBack();
    await expect(field).toHaveValue(name.toLowerCase());
    await expect(main.getByRole("heading", { level: 3 })).toHaveText([name]);
    await field.fill("zzzzzzzzzzzzzz");
    await main.getByRole("link", { name: t("search.none.all") }).click();
    await expect(page).toHaveURL("/");
    await expect(field).toHaveValue("");
    await expect(main.getByRole("heading", { level: 3 }).nth(1)).toBeVisible();
  },
);

test("while an answer is awaited, what was found before is marked as old", WITH_JAVASCRIPT, async ({ page, request, site }) => {
  const name = unique("Tarn");
  await makeBoards(request, site.url, [name]);
  await page.goto("/search");
  const results = page.locator("[aria-busy]");
  await expect(page.getByRole("searchbox")).toBeFocused();
  const answer = await holdAnswer(page, "**/search?q=*");

  await page.getByRole("searchbox").fill(name);
  await expect(results).toHaveAttribute("aria-busy", "true");
  answer();

  await expect(page.getByRole("heading", { level: 2 })).toHaveText(found(1, name));
  await expect(results).toHaveAttribute("aria-busy", "false");
});

test("who follows a link right after typing gets there, and is not brought back by what was typed", WITH_JAVASCRIPT, async ({ page, request, site }) => {
  const name = unique("Egress");
  await makeBoards(request, site.url, [name]);
  await page.goto("/?created=desc");
  const link = page.getByRole("main").getByRole("link", { name });
  const field = page.getByRole("main").getByRole("searchbox");
  await field.fill(name);
  await expect(page).toHaveURL(`/?q=${name}`);
  const answer = await holdAnswer(page, "**/boards/egress*");

  await link.evaluate(async (element: HTMLElement) => {
    const input = document.querySelector<HTMLInputElement>("main [name=q]");
    if (input) input.value += "x";
    input?.dispatchEvent(new Event("input", { bubbles: true }));
    element.click();
    await new Promise((resolve) => setTimeout(resolve, 500));
  });
  answer();

  await expect(page).toHaveURL(/\/boards\/egress/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
});
