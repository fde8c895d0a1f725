import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { expectSignedIn, expectSignedOut, formButton, signIn, signInHere, signUpByApi } from "./people.ts";
import { t } from "./words.ts";

test("an owner finds a person by address, sees where they are signed in, blocks them and lets them in again", async ({ ownerPage, newVisitor, request }) => {
  const member = await signUpByApi(request);
  const memberPage = await newVisitor();
  await signIn(memberPage, member);

  await ownerPage.goto("/dashboard/users");
  await ownerPage.getByRole("searchbox").fill(member.email.toUpperCase());
  await formButton(ownerPage, t("people.search.submit")).click();
  await expect(ownerPage).toHaveURL(/\/dashboard\/users\?q=/);
  const row = ownerPage.getByRole("row").filter({ hasText: member.email });
  await expect(ownerPage.getByRole("row")).toHaveCount(2);
  await expect(row).toContainText(t("people.status.unconfirmed"));
  await row.getByRole("link").click();
  await expect(ownerPage.getByRole("main")).toContainText(member.email);
  await expect(ownerPage.getByText(t("people.sessions.text", { count: 2 }))).toBeVisible();

  await formButton(ownerPage, t("people.sessions.endAll")).click();
  await expect(ownerPage.getByRole("status")).toHaveText(t("people.notices.allended"));
  await memberPage.goto("/");
  await expectSignedOut(memberPage);
  await signIn(memberPage, member);

  await ownerPage
    .getByRole("region", { name: t("people.access.title") })
    .getByRole("button")
    .click();
  await expect(ownerPage.getByRole("status")).toHaveText(t("people.notices.blocked"));
  await expect(ownerPage.getByText(t("people.sessions.text", { count: 0 }))).toBeVisible();
  await memberPage.goto("/");
  await expectSignedOut(memberPage);
  await memberPage.goto("/login");
  await memberPage.getByLabel(t("fields.email")).fill(member.email);
  await memberPage.getByLabel(t("fields.password")).fill(member.password);
  await formButton(memberPage, t("login.submit")).click();
  await expect(memberPage.getByText(t("errors.USER_BLOCKED"))).toBeVisible();

  const blocked = await ownerPage.context().newPage();
  await blocked.goto("/dashboard/users?show=blocked");
  await expect(blocked.getByRole("row").filter({ hasText: member.email })).toContainText(t("people.status.blocked"));
  await blocked.close();
  await ownerPage
    .getByRole("region", { name: t("people.access.title") })
    .getByRole("button")
    .click();
  await expect(ownerPage.getByRole("status")).toHaveText(t("people.notices.unblocked"));
  await memberPage.goto("/login");
  await signInHere(memberPage, member);
  await expectSignedIn(memberPage);
});

test("an owner cannot block themselves, and their own browser is marked", async ({ ownerPage, site }) => {
  await ownerPage.goto(`/dashboard/users?q=${encodeURIComponent(site.owner.email)}`);
  await ownerPage.getByRole("row").filter({ hasText: site.owner.email }).getByRole("link").click();

  await expect(ownerPage.getByText(t("people.access.own"))).toBeVisible();
  await expect(ownerPage.getByText(t("people.sessions.current"), { exact: true })).toHaveCount(1);
  await expect(ownerPage.getByRole("region", { name: t("people.access.title") }).getByRole("button")).toHaveCount(0);
});

test("a search that finds nobody says for what, and leads back", async ({ ownerPage }) => {
  await ownerPage.goto("/dashboard/users?q=nobody-at-all%25");

  await expect(ownerPage.getByText(t("people.empty.foundTitle", { q: "nobody-at-all%" }))).toBeVisible();
  await expect(ownerPage.getByRole("searchbox")).toHaveValue("nobody-at-all%");
  await ownerPage.getByRole("link", { name: t("people.empty.everybody") }).click();
  await expect(ownerPage).toHaveURL("/dashboard/users");
  await expect(ownerPage.getByRole("row").nth(1)).toBeVisible();
});

test("where nobody of one kind matches, the page says so and leads to all who match", async ({ ownerPage, request }) => {
  const member = await signUpByApi(request);
  const name = t("people.empty.found.all");
  await ownerPage.goto(`/dashboard/users?${new URLSearchParams({ q: member.email, show: "blocked" })}`);

  await expect(ownerPage.getByText(t("people.empty.found.blockedTitle", { q: member.email }))).toBeVisible();
  await expect(ownerPage.getByText(t("people.empty.found.blockedText", { count: 1 }))).toBeVisible();
  await expect(ownerPage.getByRole("link", { name: t("people.empty.found.clear") })).toHaveAttribute("href", "/dashboard/users?show=blocked");
  await ownerPage.getByRole("link", { name }).click();
  await expect(ownerPage).toHaveURL(`/dashboard/users?${new URLSearchParams({ q: member.email })}`);
  await expect(ownerPage.getByRole("row").filter({ hasText: member.email })).toBeVisible();

  // Whom nobody of any kind matches, nobody matches.
  await ownerPage.goto("/dashboard/users?q=nobody-at-all&show=blocked");
  await expect(ownerPage.getByText(t("people.empty.foundTitle", { q: "nobody-at-all" }))).toBeVisible();
  await expect(ownerPage.getByRole("link", { name })).toHaveCount(0);
});

test("addresses that nobody meant show everybody, and no person is a page that says so", async ({ ownerPage, request }) => {
  const newest = await signUpByApi(request);
  for (const query of ["show=nobody", "after=x", "q=%00"]) {
    expect((await ownerPage.goto(`/dashboard/users?${query}`))?.status(), query).toBe(200);
    await expect(ownerPage.getByRole("row").filter({ hasText: newest.email }), query).toBeVisible();
  }
  expect((await ownerPage.goto(`/dashboard/users?q=${"x".repeat(500)}`))?.status()).toBe(200);
  // What can be read of an address counts, beside what cannot.
  await ownerPage.goto("/dashboard/users?q=nobody-at-all&after=x&show=nobody");
  await expect(ownerPage.getByText(t("people.empty.foundTitle", { q: "nobody-at-all" }))).toBeVisible();
  for (const userId of ["x", crypto.randomUUID()]) {
    expect((await ownerPage.goto(`/dashboard/users/${userId}`))?.status()).toBe(404);
    await expect(ownerPage.getByRole("heading", { level: 1 })).toHaveText(t("problems.notFound.title"));
  }
});

test("a member reads nobody's address", async ({ page, request, site }) => {
  const other = await signUpByApi(request);
  await signIn(page, await signUpByApi(request));

  for (const path of ["/dashboard/users", `/dashboard/users?q=${other.email}`, "/dashboard"]) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(403);
    expect(await response?.text(), path).not.toContain(site.owner.email);
  }
});

test("on a phone what is a table elsewhere fits", WITH_JAVASCRIPT, async ({ ownerPage }) => {
  await ownerPage.setViewportSize({ width: 320, height: 640 });
  const width = () => ownerPage.evaluate(() => document.documentElement.scrollWidth);

  await ownerPage.goto("/dashboard/users");
  await expect(ownerPage.getByRole("table")).toBeVisible();
  expect(await width()).toBeLessThanOrEqual(320);
  await ownerPage.goto("/dashboard?days=90");
  await ownerPage.getByText(t("dashboard.activity.asTable"), { exact: true }).click();
  await expect(ownerPage.getByRole("table").filter({ hasText: t("dashboard.activity.day") })).toBeVisible();
  expect(await width()).toBeLessThanOrEqual(320);
});
