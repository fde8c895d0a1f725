import type { Page } from "@playwright/test";
import { reportBar } from "#lib/testing/bars";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { MANY_NAMES, makeBoards } from "./many.ts";
import { formButton, signIn } from "./people.ts";
import { OWNER } from "./site.ts";
import { t } from "./words.ts";

/** A page, what is chosen on it, and the address that this has. */
type View = { path: string; choose: (page: Page) => Promise<unknown>; address: string };

const follow = (page: Page, name: string | RegExp) => page.getByRole("main").getByRole("link", { name }).first().click();

const VIEWS: View[] = [
  {
    path: "/",
    choose: async (page) => {
      await follow(page, t("home.sort.asc"));
      await expect(page).toHaveURL("/?created=asc");
      await follow(page, t("pages.next"));
    },
    address: "/?created=asc&page=2",
  },
  {
    path: "/search",
    choose: async (page) => {
      await page.getByRole("searchbox").fill("board");
      await page.getByRole("searchbox").press("Enter");
      await expect(page).toHaveURL("/search?q=board");
      await follow(page, t("pages.next"));
    },
    address: "/search?q=board&page=2",
  },
  {
    path: "/dashboard/users",
    choose: async (page) => {
      await page.getByRole("searchbox").fill("olive");
      await formButton(page, t("people.search.submit")).click();
      await expect(page).toHaveURL("/dashboard/users?q=olive");
      await follow(page, new RegExp(`^${t("people.show.unconfirmed")}`));
    },
    address: "/dashboard/users?q=olive&show=unconfirmed",
  },
  {
    path: "/dashboard/boards",
    choose: async (page) => {
      await page.getByRole("searchbox").fill("board");
      await page.getByRole("searchbox").press("Enter");
      await expect(page).toHaveURL("/dashboard/boards?q=board");
      await follow(page, t("pages.next"));
    },
    address: "/dashboard/boards?q=board&page=2",
  },
  {
    path: "/dashboard/outbox",
    choose: async (page) => {
      await page.getByRole("searchbox").fill("owner");
      await formButton(page, t("outbox.search.submit")).click();
      await expect(page).toHaveURL("/dashboard/outbox?q=owner");
      await follow(page, new RegExp(`^${t("outbox.status.KEPT")}`));
    },
    address: "/dashboard/outbox?q=owner&status=KEPT",
  },
  { path: "/dashboard", choose: (page) => follow(page, t("dashboard.activity.days", { days: 90 })), address: "/dashboard?days=90" },
  { path: "/dashboard/settings", choose: (page) => follow(page, t("settings.sections.access")), address: "/dashboard/settings/access" },
];

/** What a list shows: its entries, what is searched for, and which of the views and pages is the one chosen. */
function stateOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = (selector: string) => [...document.querySelectorAll(`main ${selector}`)].map(({ textContent }) => textContent?.trim() ?? "");
    const query = document.querySelector<HTMLInputElement>("main [name=q]")?.value ?? "";
    return [query, ...texts("[aria-current]"), ...texts("li h2"), ...texts("li h3"), ...texts("tbody th"), ...texts("nav span")];
  });
}

test("U16: reloading, going back and sharing the address show the list as it was", async ({ startOwnServer, newVisitor, request }) => {
  const { url } = await startOwnServer();
  await request.post(`${url}/api/v1/auth/setup`, { data: OWNER });
  await makeBoards(request, url, MANY_NAMES);
  const page = await newVisitor({ url });
  await signIn(page, OWNER);
  const cookies = await page.context().cookies();
  const lost: string[] = [];

  for (const { path, choose, address } of VIEWS) {
    await page.goto(path);
    await choose(page);
    await expect(page).toHaveURL(address);
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    const before = await stateOf(page);
    const compare = async (way: string, shown: Page) => {
      await expect(shown).toHaveURL(address);
      await expect
        .poll(() => stateOf(shown))
        .toEqual(before)
        .catch(() => lost.push(`${address} after ${way}`));
    };

    await page.reload();
    await compare("reloading", page);
    await page
      .getByRole("banner")
      .getByRole("link", { name: t("site.search") })
      .click();
    await expect(page).toHaveURL("/search");
    await page.goBack();
    await compare("going back", page);
    const other = await newVisitor({ url, cookies });
    await other.goto(address);
    await compare("sharing", other);
  }

  reportBar({ bar: "U16", measure: `list states of ${VIEWS.length * 3} not restored`, figure: lost.length, ok: lost.length === 0 });
  expect(lost).toEqual([]);
});

test("U16: going back leads to the same place on the page", WITH_JAVASCRIPT, async ({ startOwnServer, newVisitor, request }) => {
  const { url } = await startOwnServer();
  await request.post(`${url}/api/v1/auth/setup`, { data: OWNER });
  await makeBoards(request, url, MANY_NAMES);
  const page = await newVisitor({ url });
  await page.setViewportSize({ width: 375, height: 667 });
  const scrolled = () => page.evaluate(() => Math.round(scrollY));
  const moved: string[] = [];

  for (const path of ["/?created=asc", "/search?q=board"]) {
    await page.goto(path);
    const board = page.getByRole("main").getByRole("heading", { level: 3 }).nth(15);
    await board.scrollIntoViewIfNeeded();
    const before = await scrolled();
    expect(before).toBeGreaterThan(500);
    await board.getByRole("link").click();
    await expect(page).toHaveURL(/\/boards\//);

    await page.goBack();

    await expect(page).toHaveURL(path);
    await expect
      .poll(scrolled, { message: path })
      .toBe(before)
      .catch(async () => moved.push(`${path}: ${await scrolled()} instead of ${before}`));
  }

  reportBar({ bar: "U16", measure: "places on a page not restored", figure: moved.length, ok: moved.length === 0 });
  expect(moved).toEqual([]);
});
