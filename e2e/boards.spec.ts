import type { APIRequestContext, Page } from "@playwright/test";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { formButton, menuCalled, unique } from "./people.ts";
import { plain, t } from "./words.ts";

type ListedBoard = { boardId: string; name: string; url: string; color: string };

/** What anybody is told of the boards: the newest ones, and how many there are. */
async function publicBoards(request: APIRequestContext): Promise<{ boards: ListedBoard[]; total: number }> {
  const response = await request.get("/api/v1/boards?limit=100");
  return { ...(await response.json()), total: Number(response.headers()["x-total-count"]) };
}

async function create(page: Page, { name, url = "", isPrivate = false }: { name: string; url?: string; isPrivate?: boolean }): Promise<void> {
  await page.goto("/dashboard/boards/new");
  await page.getByLabel(t("fields.name")).fill(name);
  await page.getByLabel(t("boards.form.urlOptional")).fill(url);
  if (isPrivate) await page.getByLabel(t("fields.isPrivate")).check();
  await formButton(page, t("boards.form.create")).click();
  await expect(page.getByRole("status")).toHaveText(t("boards.notices.created"));
}

async function edit(page: Page, name: string, change: () => Promise<void>): Promise<void> {
  await page.goto(`/dashboard/boards?${new URLSearchParams({ q: name })}`);
  await page
    .getByRole("link", { name: t("boards.editNamed", { name }) })
    .filter({ visible: true })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(plain("boards.editTitle", { name }));
  await change();
  await formButton(page, t("boards.form.save")).click();
  await expect(page.getByRole("status")).toHaveText(t("boards.notices.saved"));
}

/** Opens what else can be done with a board, in the dashboard's list. */
async function openMenu(page: Page, name: string): Promise<void> {
  await page.goto(`/dashboard/boards?${new URLSearchParams({ q: name })}`);
  await menuCalled(page, t("boards.moreNamed", { name })).click();
}

const boardLink = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name, exact: true });

test("a board made in the dashboard is seen on the first page and in the API, and moves with its old address leading to the new one", async ({
  ownerPage,
  page,
  request,
}) => {
  const [name, renamed, moved] = [unique("Wünsche"), unique("Ideas"), unique("ideas")];
  const before = await publicBoards(request);

  await create(ownerPage, { name });

  const after = await publicBoards(request);
  expect(after.total).toBe(before.total + 1);
  expect(after.boards[0]).toMatchObject({ name, url: name.toLowerCase() });
  await page.goto("/?created=desc");
  await expect(page.getByRole("heading", { level: 2, name: t("home.boards", { count: after.total }) })).toBeVisible();
  await boardLink(page, name).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(page.getByText(t("board.empty.title"))).toBeVisible();
  const oldAddress = page.url();

  await edit(ownerPage, name, async () => {
    await ownerPage.getByLabel(t("fields.name")).fill(renamed);
    await ownerPage.getByLabel(t("fields.url")).fill(moved);
  });

  await page.goto(`${oldAddress}?after=x`);
  await expect(page).toHaveURL(`/boards/${moved}?after=x`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(renamed);
  expect((await request.get(oldAddress, { maxRedirects: 0 })).status()).toBe(308);
});

test("a description may have emphasis, code and links, and nothing else of what is typed becomes part of the page", async ({ ownerPage, page }) => {
  const [name, url] = [unique("Ideas"), unique("ideas")];
  await create(ownerPage, { name, url });
  const typed = '*New* `code` https://example.org/x <img src=x onerror="document.title=1"> [no](javascript:alert(1)) ![cat](https://example.org/cat.png)';
  await edit(ownerPage, name, () => ownerPage.getByLabel(t("fields.description")).fill(typed));

  await page.goto(`/boards/${url}`);

  const intro = page.getByRole("main").locator("header p bdi").filter({ hasText: "New" });
  await expect(intro).toHaveText('New code https://example.org/x <img src=x onerror="document.title=1"> [no](javascript:alert(1)) !cat');
  expect(await intro.evaluate((element) => [...element.querySelectorAll("*")].map(({ tagName }) => tagName))).toEqual(["EM", "CODE", "A", "A"]);
  await expect(intro.getByRole("link").first()).toHaveAttribute("rel", /nofollow.*noopener.*noreferrer/);
  const description = page.locator('meta[name="description"]');
  await expect(description).toHaveAttribute("content", /^New code https:\/\/example\.org\/x <img/);
});

test("a private board does not exist for others: not on pages, not in the API, not in numbers", async ({ ownerPage, page, request }) => {
  const [name, url] = [unique("Roadmap"), unique("roadmap")];
  await create(ownerPage, { name, url });
  const before = await publicBoards(request);
  const [{ boardId } = { boardId: "" }] = before.boards;

  await edit(ownerPage, name, () => ownerPage.getByLabel(t("fields.isPrivate")).check());

  const after = await publicBoards(request);
  expect(after.total).toBe(before.total - 1);
  expect(after.boards.map((board) => board.url)).not.toContain(url);
  expect((await request.get(`/api/v1/boards/${boardId}`)).status()).toBe(404);
  await page.goto("/");
  await expect(page.getByRole("main")).not.toContainText(name);
  expect((await page.goto(`/boards/${url}`))?.status()).toBe(404);
  expect(await page.content()).not.toContain(name);
  await ownerPage.goto("/?created=desc");
  await expect(boardLink(ownerPage, name)).toBeVisible();
  await ownerPage.goto(`/boards/${url}`);
  await expect(ownerPage.getByRole("main").getByText(t("board.private"), { exact: true })).toBeVisible();

  await edit(ownerPage, name, () => ownerPage.getByLabel(t("fields.isPrivate")).uncheck());
  expect((await publicBoards(request)).total).toBe(before.total);
});

test("a board is deleted after a question that names it, and can be brought back at once or later", async ({ ownerPage, page, request }) => {
  const [name, url] = [unique("Bugs"), unique("bugs")];
  await create(ownerPage, { name, url });
  const toDelete = ownerPage.getByRole("link", { name: t("boards.deleteNamed", { name }) });

  await openMenu(ownerPage, name);
  await toDelete.click();
  await expect(ownerPage.getByRole("heading", { level: 1 })).toHaveText(plain("boards.deleteQuestion", { name }));
  await ownerPage.getByRole("link", { name: t("boards.keep") }).click();
  expect((await request.get(`/boards/${url}`)).status()).toBe(200);

  for (const restore of [t("boards.undoNamed", { name }), t("boards.deleted.restoreNamed", { name })]) {
    await openMenu(ownerPage, name);
    await toDelete.click();
    await formButton(ownerPage, t("boards.deleteSubmit", { count: 0 })).click();
    await expect(ownerPage.getByRole("status").filter({ hasText: plain("boards.deletedNamed", { name }) })).toBeVisible();
    expect((await request.get(`/boards/${url}`)).status()).toBe(404);
    expect((await publicBoards(request)).boards.map((board) => board.url)).not.toContain(url);
    await page.goto("/?limit=100");
    await expect(page.getByRole("main")).not.toContainText(name);

    await ownerPage.getByRole("button", { name: restore, exact: true }).click();
    await expect(ownerPage.getByRole("status").filter({ hasText: t("boards.notices.restored") })).toBeVisible();
    await page.goto(`/boards/${url}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  }
});

test("the order that the team arranges is the order that visitors see", async ({ ownerPage, page, request }) => {
  const names = [unique("First"), unique("Second")] as const;
  for (const name of names) await create(ownerPage, { name });
  const { total } = await publicBoards(request);
  const firstNames = async (count: number) => {
    await page.goto("/");
    return (await page.getByRole("main").getByRole("listitem").getByRole("heading", { level: 3 }).allInnerTexts()).slice(0, count);
  };
  const moved = (name: string, place: number) =>
    ownerPage.getByRole("status").filter({ hasText: t.markup("boards.moved", { name: () => name, place, count: total }) });

  for (const name of names) {
    await openMenu(ownerPage, name);
    await ownerPage
      .getByRole("button", { name: t("boards.move.top"), exact: true })
      .filter({ visible: true })
      .click();
    await expect(moved(name, 1)).toBeVisible();
  }
  expect(await firstNames(2)).toEqual(names.toReversed());

  await menuCalled(ownerPage, t("boards.moreNamed", { name: names[1] })).click();
  await ownerPage
    .getByRole("button", { name: t("boards.move.down"), exact: true })
    .filter({ visible: true })
    .click();
  await expect(moved(names[1], 2)).toBeVisible();
  expect(await firstNames(2)).toEqual(names);

  for (const name of names) {
    await openMenu(ownerPage, name);
    await ownerPage
      .getByRole("button", { name: t("boards.move.bottom"), exact: true })
      .filter({ visible: true })
      .click();
    await expect(moved(name, total)).toBeVisible();
  }
});

test("an emoji, a description and a color chosen in the form are what visitors see", async ({ ownerPage, page, request }) => {
  const name = unique("Music");
  await ownerPage.goto("/dashboard/boards/new");
  await ownerPage.locator("summary", { hasText: t("boards.form.emoji") }).click();
  await ownerPage.getByRole("radio", { name: "🎵" }).check();
  await ownerPage.getByLabel(t("fields.name")).press("End");
  await ownerPage.getByLabel(t("fields.name")).pressSequentially(name);
  await ownerPage.getByLabel(t("fields.descriptionOptional")).fill("What we should play.\nAnd what not.");
  await ownerPage.getByRole("radio", { name: t("boards.form.colors.7c3aed") }).check();
  await formButton(ownerPage, t("boards.form.create")).click();
  await expect(ownerPage.getByRole("status")).toHaveText(t("boards.notices.created"));

  const [board] = (await publicBoards(request)).boards;
  expect(board).toMatchObject({ name: `🎵 ${name}`, url: name.toLowerCase(), color: "7c3aed" });
  await page.goto(`/boards/${board?.url}`);
  await expect(page.getByText("What we should play. And what not.")).toBeVisible();

  await edit(ownerPage, `🎵 ${name}`, async () => {
    await ownerPage.locator("summary", { hasText: t("boards.form.emoji") }).click();
    await expect(ownerPage.getByRole("radio", { name: "🎵" })).toBeChecked();
    await ownerPage.getByRole("radio", { name: t("boards.form.noEmoji") }).check();
    await ownerPage.getByRole("radio", { name: t("boards.form.ownColor") }).check();
    await ownerPage.getByLabel(t("boards.form.pickColor")).fill("#123456");
  });
  expect((await publicBoards(request)).boards[0]).toMatchObject({ name, color: "123456" });
});

test("the team sees a board as visitors do, and of a private one that they do not", async ({ ownerPage }) => {
  const name = unique("Plans");
  await create(ownerPage, { name });

  await openMenu(ownerPage, name);
  await ownerPage
    .getByRole("link", { name: t("boards.asVisitor") })
    .filter({ visible: true })
    .click();
  await expect(ownerPage.getByText(t("board.asVisitor.text"))).toBeVisible();
  await expect(ownerPage.getByRole("link", { name: t("board.edit") })).toHaveCount(0);
  await ownerPage.getByRole("link", { name: t("board.asVisitor.leave") }).click();
  await expect(ownerPage.getByRole("link", { name: t("board.edit") })).toBeVisible();

  await edit(ownerPage, name, () => ownerPage.getByLabel(t("fields.isPrivate")).check());
  await openMenu(ownerPage, name);
  await ownerPage
    .getByRole("link", { name: t("boards.asVisitor") })
    .filter({ visible: true })
    .click();
  await expect(ownerPage.getByText(t("board.asVisitor.hiddenText"))).toBeVisible();
  await expect(ownerPage.getByRole("main")).not.toContainText(name);
  await expect(ownerPage).toHaveTitle(new RegExp(`^${t("problems.notFound.title")} ·`));
});

test("while the form is filled it shows the board and says whether its address is free", WITH_JAVASCRIPT, async ({ ownerPage, page }) => {
  const [name, url] = [unique("Taken"), unique("taken")];
  await create(ownerPage, { name, url });
  await ownerPage.goto("/dashboard/boards/new");
  const preview = ownerPage.getByRole("complementary", { name: t("boards.form.preview") });
  const told = ownerPage.getByRole("main").getByRole("status");
  const heightOf = async () => (await told.boundingBox())?.height;
  const height = await heightOf();

  await ownerPage.getByLabel(t("fields.name")).fill(`🎯 ${name} Goals`);
  await expect(preview).toContainText(`${name} Goals`);
  await expect(told).toHaveText(`/boards/${name.toLowerCase()}-goals ${t("boards.form.urlFree")}`);
  await ownerPage.getByLabel(t("boards.form.urlOptional")).fill(` ${url.toUpperCase()}! `);
  await expect(told).toHaveText(`/boards/${url} ${t("boards.form.urlTaken")}`);
  // Whatever it says, what is below does not move.
  expect([height, await heightOf()]).toEqual([expect.any(Number), height]);
  const desk = ownerPage.viewportSize() ?? { width: 1280, height: 720 };
  await ownerPage.setViewportSize({ width: 320, height: 700 });
  expect([await heightOf(), await ownerPage.evaluate(() => document.documentElement.scrollWidth)]).toEqual([height, 320]);
  await ownerPage.setViewportSize(desk);
  await ownerPage.getByLabel(t("fields.description")).fill("Tell *us* in `words`");
  await expect(preview).toContainText("Tell us in words");
  await ownerPage.getByLabel(t("fields.isPrivate")).check();
  const privatePreview = ownerPage.getByRole("complementary", { name: t("boards.form.privatePreview") });
  await expect(privatePreview.getByText(t("board.private"))).toBeVisible();
  await ownerPage.getByLabel(t("fields.isPrivate")).uncheck();
  await expect(preview.getByText(t("boards.form.preview"))).toBeVisible();

  expect((await page.request.get("/dashboard/boards/address?url=x")).status()).toBe(401);
  const answer = await ownerPage.request.get("/dashboard/boards/address?url=x");
  expect(answer.headers()["cache-control"]).toBe("no-store");
});

test("the form of a private board shows it from the start as those see it who may", async ({ ownerPage }) => {
  const name = unique("Hidden");
  await create(ownerPage, { name, isPrivate: true });
  await edit(ownerPage, name, async () => {
    await expect(ownerPage.locator("aside", { hasText: name })).toHaveAttribute("aria-label", t("boards.form.privatePreview"));
  });
});

test("a form for a board that cannot be taken says why at the field, and keeps what was typed", async ({ ownerPage }) => {
  const [name, url] = [unique("Taken"), unique("taken")];
  await create(ownerPage, { name, url });
  await ownerPage.goto("/dashboard/boards/new");
  const [nameField, urlField] = [ownerPage.getByLabel(t("fields.name")), ownerPage.getByLabel(t("boards.form.urlOptional"))];

  await nameField.fill("Another 🪁");
  await urlField.fill(url);
  await ownerPage.getByRole("radio", { name: t("boards.form.ownColor") }).check();
  await ownerPage.getByLabel(t("boards.form.pickColor")).fill("#123456");
  await ownerPage.getByLabel(t("fields.isPrivate")).check();
  await formButton(ownerPage, t("boards.form.create")).click();

  await expect(ownerPage.getByRole("main").getByRole("alert")).toContainText(t("errors.BOARD_URL_EXISTS"));
  await expect(urlField).toHaveAttribute("aria-invalid", "true");
  await expect(nameField).toHaveValue("Another 🪁");
  await expect(ownerPage.getByRole("radio", { name: t("boards.form.ownColor") })).toBeChecked();
  await expect(ownerPage.getByLabel(t("boards.form.pickColor"))).toHaveValue("#123456");
  await expect(ownerPage.getByLabel(t("fields.isPrivate"))).toBeChecked();

  await nameField.fill(" ");
  await urlField.fill("!!!");
  await formButton(ownerPage, t("boards.form.create")).click();
  await expect(ownerPage.getByRole("main").getByRole("alert")).toContainText(t("errors.fields", { count: 2 }));
  for (const field of [nameField, urlField]) await expect(field).toHaveAttribute("aria-invalid", "true");
});
