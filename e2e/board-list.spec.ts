import type { Page } from "@playwright/test";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { holdAnswer } from "./held-answer.ts";
import { unique } from "./people.ts";
import { t } from "./words.ts";

const BOARD_COUNT = 45;
const PAGE_SIZE = 20;
const NAMES = ["🚀🧑‍🚀", "مقترحات العملاء ٢٠٢٦", "w".repeat(60), "功能请求", "שלום <script>alert(1)</script>", "İstek & şikâyet"];

/** The names of all boards, newest first, and of those that were made here, as they were made. */
let names: string[] | undefined;
let made: string[] = [];

/** 45 boards and more, the same for all tests of a worker. */
test.beforeEach(async ({ request, site }) => {
  names ??= await makeBoards();

  async function makeBoards(): Promise<string[]> {
    made = [...NAMES, ...Array.from({ length: BOARD_COUNT - NAMES.length }, () => unique("Board"))];
    const headers = { authorization: `Bearer ${site.owner.authToken}` };
    for (const name of made) expect((await request.post("/api/v1/boards", { data: { name }, headers })).status()).toBe(201);
    const { boards } = await (await request.get("/api/v1/boards?limit=100")).json();
    return boards.map((board: { name: string }) => board.name);
  }
});

const shownNames = (page: Page) => page.getByRole("main").getByRole("listitem").getByRole("heading", { level: 3 }).allInnerTexts();

/** Follows the links to the next page until there is none. */
async function readAllPages(page: Page): Promise<string[]> {
  const read = await shownNames(page);
  const next = page.getByRole("link", { name: t("pages.next") });
  const pages = Math.ceil((names?.length ?? 0) / PAGE_SIZE);
  for (let number = 2; number <= pages; number++) {
    await next.click();
    await expect(page.getByText(t("pages.position", { page: number, pages }))).toBeVisible();
    read.push(...(await shownNames(page)));
  }
  await expect(next).toHaveCount(0);
  return read;
}

const sortLink = (page: Page, order: "arranged" | "asc" | "desc") =>
  page.getByRole("navigation", { name: t("home.sort.label") }).getByRole("link", { name: t(`home.sort.${order}`) });

test("the list leads through all boards by links, as the team arranged them, newest or oldest first, and back", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText(t("home.boards", { count: names?.length ?? 0 }));
  await expect(sortLink(page, "arranged")).toHaveAttribute("aria-current", "true");
  const arranged = await readAllPages(page);
  expect(arranged.toSorted()).toEqual(names?.toSorted());
  expect(arranged.filter((name) => made.includes(name))).toEqual(made);

  await sortLink(page, "desc").click();
  await expect(page).toHaveURL("/?created=desc");
  await expect(sortLink(page, "desc")).toHaveAttribute("aria-current", "true");
  expect(await readAllPages(page)).toEqual(names);

  await sortLink(page, "asc").click();
  await expect(page).toHaveURL("/?created=asc");
  await expect(sortLink(page, "asc")).toHaveAttribute("aria-current", "true");
  expect(await readAllPages(page)).toEqual(names?.toReversed());

  const lastPage = Math.ceil((names?.length ?? 0) / PAGE_SIZE);
  await page.getByRole("link", { name: t("pages.previous") }).click();
  await expect(page.getByText(t("pages.position", { page: lastPage - 1, pages: lastPage }))).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("link", { name: t("pages.next") })).toHaveCount(0);
});

test("a page past the end says so, and an address that nobody meant shows the list as usual", async ({ page }) => {
  await page.goto("/?page=999");
  await expect(page.getByText(t("home.pastTheEnd.text"))).toBeVisible();
  await page.getByRole("link", { name: t("home.pastTheEnd.first") }).click();
  await expect(page).toHaveURL("/");
  const usual = await shownNames(page);
  expect(usual).toHaveLength(PAGE_SIZE);

  for (const query of ["page=0", "page=x", "limit=-1", "created=sideways", "page=1&page=x", "page=1e9", "%00=%00"]) {
    await page.goto(`/?${query}`);
    expect(await shownNames(page), query).toEqual(usual);
  }
});

test("names in any script and of any allowed length stand as they are, lead to their boards, and fit a narrow window", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/?limit=100");
  expect(await shownNames(page)).toHaveLength(names?.length ?? 0);

  for (const name of NAMES) {
    await page.goto("/?limit=100");
    await page.getByRole("main").getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
    await expect(page.getByRole("heading", { level: 1 }).locator("bdi")).toHaveText(name);
  }
});

test("what is written from left to right stands at the right of an Arabic page, in each of its lines", async ({ page, request, site }) => {
  const headers = { authorization: `Bearer ${site.owner.authToken}` };
  const description = "Words from left to right that need more than one line";
  expect((await request.post("/api/v1/boards", { data: { name: unique("Latin"), description }, headers })).status()).toBe(201);
  await page.context().addCookies([{ name: "heard-locale", value: "ar", url: site.url }]);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/?created=desc");

  const text = page.getByText(description);
  const heading = page.getByRole("main").getByRole("heading", { level: 3 }).first();
  const { right } = await heading.evaluate((element) => element.getBoundingClientRect());
  const ends = await text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return [...range.getClientRects()].map((line) => line.right);
  });
  expect(ends.length).toBeGreaterThan(1);
  for (const end of ends) expect(Math.abs(end - right)).toBeLessThan(6);
});

test("on paper the ground is white, in whichever look the page is", async ({ page }) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.goto("/");

  expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe("rgb(255, 255, 255)");
});

test("emoji come with the site, after all that the visitor's system may have of them", WITH_JAVASCRIPT, async ({ page }) => {
  await page.goto("/");

  const families = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
  const faces = await page.evaluate(async () => (await document.fonts.load('22px "Noto Emoji Variable"', "💡")).map(({ status }) => status));

  expect(families).toMatch(/"Noto Emoji Variable"$/);
  expect(faces).toEqual(["loaded"]);
});

test("nothing has to be scrolled sideways in a window of 320 pixels", WITH_JAVASCRIPT, async ({ ownerPage: page }) => {
  await page.setViewportSize({ width: 320, height: 640 });

  const paths = [
    "/?limit=100",
    `/boards/${"w".repeat(60)}`,
    `/search?q=${"w".repeat(100)}`,
    "/search?q=w",
    "/dashboard/boards/new",
    "/dashboard/boards?page=2",
  ];
  for (const path of [...paths, "/dashboard", "/dashboard/boards", "/dashboard/settings", "/dashboard/outbox"]) {
    await page.goto(path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320);
  }
});

test("while another page of the list is awaited, the one that is shown is marked as old, and faded", WITH_JAVASCRIPT, async ({ page }) => {
  await page.goto("/");
  const main = page.getByRole("main");
  const answer = await holdAnswer(page, "**/?page=2&_rsc=*");

  await main.getByRole("link", { name: t("pages.next") }).click();
  await expect(main).toHaveAttribute("aria-busy", "true");
  await expect(main).toHaveCSS("opacity", "0.6");
  answer();

  await expect(page).toHaveURL("/?page=2");
  await expect(main).not.toHaveAttribute("aria-busy");
  await expect(main).toHaveCSS("opacity", "1");
});
