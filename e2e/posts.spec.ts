import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { POSTS_URL } from "./looks/visits.ts";
import { runToEnd } from "./process/run.ts";
import { OWNER } from "./site.ts";
import { t } from "./words.ts";

const POSTS_A_PAGE = 20;
const BOARD = `/boards/${POSTS_URL}`;

type Shown = { title: string; at: string };

/** The posts on a page, from top to bottom. */
async function shownPosts(page: Page): Promise<Shown[]> {
  const rows = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { level: 2 }) });
  return rows.evaluateAll((items) =>
    items.map((item) => ({ title: item.querySelector("h2")?.textContent ?? "", at: item.querySelector("time")?.getAttribute("datetime") ?? "" })),
  );
}

test("a board shows its posts, titles and ages, newest first and page by page; its card on the first page says how many, and when the newest came", async ({
  startOwnServer,
  newVisitor,
  request,
}) => {
  const { url, dataDir, databaseUrl } = await startOwnServer();
  await request.post(`${url}/api/v1/auth/setup`, { data: OWNER });
  const made = await runToEnd("scripts/demo.ts", { DATA_DIR: dataDir, DATABASE_URL: databaseUrl }, ["--people=3", "--posts=120"]);
  expect(made).toMatchObject({ code: 0 });
  const page = await newVisitor({ url });
  await page.goto("/");
  const card = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.locator(`a[href="${BOARD}"]`) });
  const count = Number(/(\d+) posts/.exec((await card.textContent()) ?? "")?.[1]);
  const newestAt = await card.locator("time").getAttribute("datetime");
  expect(count).toBeGreaterThan(POSTS_A_PAGE);

  await card.getByRole("link").click();
  await expect(page).toHaveURL(BOARD);
  await expect(page.getByRole("main")).toContainText(t("board.postCount", { count }));
  const posts: Shown[] = [];
  for (let from = 0; from < count; from += POSTS_A_PAGE) {
    if (from > 0) await page.getByRole("link", { name: t("board.older") }).click();
    let shown: Shown[] = [];
    await expect(async () => {
      shown = await shownPosts(page);
      expect(shown).toHaveLength(Math.min(POSTS_A_PAGE, count - from));
      expect(shown[0]).not.toEqual(posts.at(-POSTS_A_PAGE));
    }).toPass();
    posts.push(...shown);
  }

  await expect(page.getByRole("link", { name: t("board.older") })).toHaveCount(0);
  expect(posts).toHaveLength(count);
  expect(posts.filter(({ title, at }) => title.trim() === "" || Number.isNaN(Date.parse(at)))).toEqual([]);
  expect(posts.map(({ at }) => at)).toEqual(
    posts
      .map(({ at }) => at)
      .toSorted()
      .reverse(),
  );
  expect(posts[0]?.at).toBe(newestAt);
  await page.getByRole("link", { name: t("board.first") }).click();
  await expect(page).toHaveURL(BOARD);
});
