import type { APIRequestContext, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { formButton, unique } from "./people.ts";
import { plain, t } from "./words.ts";

type ListedBoard = { boardId: string; name: string; url: string };

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
  await page.goto("/dashboard/boards");
  await page.getByRole("link", { name: t("boards.editNamed", { name }) }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(plain("boards.editTitle", { name }));
  await change();
  await formButton(page, t("boards.form.save")).click();
  await expect(page.getByRole("status")).toHaveText(t("boards.notices.saved"));
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
  await page.goto("/");
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
  await ownerPage.goto("/");
  await expect(boardLink(ownerPage, name)).toBeVisible();
  await ownerPage.goto(`/boards/${url}`);
  await expect(ownerPage.getByRole("main").getByText(t("board.private"), { exact: true })).toBeVisible();

  await edit(ownerPage, name, () => ownerPage.getByLabel(t("fields.isPrivate")).uncheck());
  expect((await publicBoards(request)).total).toBe(before.total);
});

test("a board is deleted after a question that names it, and can be brought back", async ({ ownerPage, page, request }) => {
  const [name, url] = [unique("Bugs"), unique("bugs")];
  await create(ownerPage, { name, url });
  const toDelete = ownerPage.getByRole("link", { name: t("boards.deleteNamed", { name }) });

  await toDelete.click();
  await expect(ownerPage.getByRole("heading", { level: 1 })).toHaveText(plain("boards.deleteQuestion", { name }));
  await ownerPage.getByRole("link", { name: t("boards.keep") }).click();
  await expect(toDelete).toBeVisible();
  expect((await request.get(`/boards/${url}`)).status()).toBe(200);

  await toDelete.click();
  await formButton(ownerPage, t("boards.deleteSubmit", { count: 0 })).click();
  await expect(ownerPage.getByRole("status")).toHaveText(t("boards.notices.deleted"));
  expect((await request.get(`/boards/${url}`)).status()).toBe(404);
  expect((await publicBoards(request)).boards.map((board) => board.url)).not.toContain(url);
  await page.goto("/");
  await expect(page.getByRole("main")).not.toContainText(name);

  await ownerPage.getByRole("button", { name: t("boards.deleted.restoreNamed", { name }) }).click();
  await expect(ownerPage.getByRole("status")).toHaveText(t("boards.notices.restored"));
  await page.goto(`/boards/${url}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
});

test("a form for a board that cannot be taken says why at the field, and keeps what was typed", async ({ ownerPage }) => {
  const [name, url] = [unique("Taken"), unique("taken")];
  await create(ownerPage, { name, url });
  await ownerPage.goto("/dashboard/boards/new");
  const [nameField, urlField] = [ownerPage.getByLabel(t("fields.name")), ownerPage.getByLabel(t("boards.form.urlOptional"))];

  await nameField.fill("Another 🪁");
  await urlField.fill(url);
  await ownerPage.getByLabel(t("fields.color")).fill("#123456");
  await ownerPage.getByLabel(t("fields.isPrivate")).check();
  await formButton(ownerPage, t("boards.form.create")).click();

  await expect(ownerPage.getByRole("main").getByRole("alert")).toContainText(t("errors.BOARD_URL_EXISTS"));
  await expect(urlField).toHaveAttribute("aria-invalid", "true");
  await expect(nameField).toHaveValue("Another 🪁");
  await expect(ownerPage.getByLabel(t("fields.color"))).toHaveValue("#123456");
  await expect(ownerPage.getByLabel(t("fields.isPrivate"))).toBeChecked();

  await nameField.fill(" ");
  await urlField.fill("Not An Address!");
  await formButton(ownerPage, t("boards.form.create")).click();
  await expect(ownerPage.getByRole("main").getByRole("alert")).toContainText(t("errors.fields", { count: 2 }));
  for (const field of [nameField, urlField]) await expect(field).toHaveAttribute("aria-invalid", "true");
});
