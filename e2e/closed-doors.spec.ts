import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { makeBoards } from "./many.ts";
import { signIn, signInHere, signUpByApi, unique } from "./people.ts";
import { t } from "./words.ts";

const TEAM_PAGES = ["/dashboard", "/dashboard/boards", "/dashboard/boards/new", "/dashboard/settings", "/dashboard/outbox", "/dashboard/users"];
const NOWHERE = ["/nothing/here", "/boards/no-such-board", "/boards/%F0%9F%9A%80", "/boards/%00", "/boards/%E0%A4%A", "/login/x", "/dashboards"];

test("what does not exist is a page that says so and leads on", async ({ page }) => {
  for (const path of NOWHERE) {
    expect((await page.goto(path))?.status(), path).toBe(404);
    await expect(page.getByRole("heading", { level: 1 }), path).toHaveText(t("problems.notFound.title"));
  }

  await page.getByRole("link", { name: t("problems.home") }).click();
  await expect(page).toHaveURL("/");
});

test("in the dashboard, too, what does not exist is a page that says so", async ({ ownerPage }) => {
  for (const path of ["/dashboard/boards/x", `/dashboard/boards/${crypto.randomUUID()}/delete`, `/dashboard/outbox/${crypto.randomUUID()}`]) {
    expect((await ownerPage.goto(path))?.status(), path).toBe(404);
    await expect(ownerPage.getByRole("heading", { level: 1 }), path).toHaveText(t("problems.notFound.title"));
  }
});

test("a member is told that the dashboard is the team's, and is not offered it", async ({ page, request, site }) => {
  await makeBoards(request, site.url, [unique("Ideas")]);
  await signIn(page, await signUpByApi(request));
  await expect(page.getByRole("link", { name: t("site.dashboard") })).toHaveCount(0);

  const [{ boardId }] = (await (await request.get("/api/v1/boards")).json()).boards;
  for (const path of [...TEAM_PAGES, `/dashboard/boards/${boardId}`, `/dashboard/boards/${boardId}/delete`]) {
    expect((await page.goto(path))?.status(), path).toBe(403);
    await expect(page.getByRole("heading", { level: 1 }), path).toHaveText(t("problems.forbidden.title"));
    await expect(page, path).toHaveTitle(new RegExp(`^${t("problems.forbidden.title")}`));
  }

  await page.getByRole("link", { name: t("problems.home") }).click();
  await expect(page).toHaveURL("/");
});

test("who is signed out signs in and arrives where they were going", async ({ page, site }) => {
  await page.goto("/dashboard/boards/new");
  await expect(page).toHaveURL("/login?next=%2Fdashboard%2Fboards%2Fnew");
  await expect(page.getByText(t("login.goOn"))).toBeVisible();

  await signInHere(page, site.owner);

  await expect(page).toHaveURL("/dashboard/boards/new");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("boards.create"));
});

test("whoever follows a shared link to a list signs in and sees the same part of it, but nothing that was done elsewhere", async ({ page, site }) => {
  await page.goto("/dashboard/users?q=nobody&show=blocked&notice=gone");
  await signInHere(page, site.owner);
  await expect(page).toHaveURL("/dashboard/users?q=nobody&show=blocked");

  await page.context().clearCookies();
  for (const path of ["/dashboard/outbox?status=FAILED", "/dashboard?days=90", "/dashboard/boards?q=b&page=2"]) {
    await page.goto(path);
    expect(new URL(page.url()).searchParams.get("next")).toBe(path);
  }
});

test("a form that is sent after the session has ended says so, and keeps what was typed", WITH_JAVASCRIPT, async ({ newVisitor, site }) => {
  const page = await newVisitor();
  await signIn(page, site.owner);
  await page.goto("/dashboard/boards/new");
  await page.getByLabel(t("fields.name")).fill("Typed with care");

  await page.context().clearCookies();
  await page.getByRole("button", { name: t("boards.form.create") }).click();

  await expect(page.getByRole("main").getByRole("alert")).toContainText(t("errors.UNAUTHENTICATED"));
  await expect(page.getByLabel(t("fields.name"))).toHaveValue("Typed with care");
});
