import type { Page } from "@playwright/test";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { newestLetterTo } from "./letters.ts";
import { formButton, signIn, signUpByApi, unique } from "./people.ts";
import { startSite } from "./site.ts";
import { databaseTemplate } from "./template.ts";
import { t } from "./words.ts";

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const figure = (page: Page, name: "posts" | "people" | "boards" | "letters") =>
  section(page, t("dashboard.activity.title"))
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: t(`dashboard.activity.${name}`), exact: true }) });

test("first steps tick themselves as they are done, and can be put away for good", async ({ newVisitor }) => {
  const site = await startSite({ template: databaseTemplate() });
  try {
    const page = await newVisitor({ url: site.url });
    await signIn(page, site.owner);
    await page.goto("/dashboard");
    const steps = section(page, t("dashboard.firstSteps.title"));
    await expect(steps).toContainText(t("dashboard.firstSteps.progress", { done: 0, total: 5 }));

    await steps.getByRole("link", { name: t("dashboard.firstSteps.steps.board.link") }).click();
    await page.getByLabel(t("fields.name")).fill("Ideas");
    await formButton(page, t("boards.form.create")).click();
    await expect(page).toHaveURL(/\/dashboard\/boards\?notice=created$/);
    await page.goto("/dashboard");
    await expect(steps).toContainText(t("dashboard.firstSteps.progress", { done: 1, total: 5 }));
    await expect(steps.getByRole("link", { name: t("dashboard.firstSteps.steps.board.link") })).toHaveCount(0);
    await expect(section(page, t("dashboard.attention.title"))).toContainText(t("dashboard.attention.unconfirmedAddress"));

    const { link } = await newestLetterTo(page, site.owner.email);
    await page.goto(link);
    await formButton(page, t("confirm.submit")).click();
    await expect(page.getByText(t("confirm.done.text"))).toBeVisible();
    await page.goto("/dashboard");
    await expect(steps).toContainText(t("dashboard.firstSteps.progress", { done: 2, total: 5 }));
    await expect(section(page, t("dashboard.attention.title"))).not.toContainText(t("dashboard.attention.unconfirmedAddress"));

    await formButton(page, t("dashboard.firstSteps.putAway")).click();
    await expect(page.getByRole("status")).toHaveText(t("dashboard.notices.hidden"));
    await expect(steps).toHaveCount(0);
    await page.goto("/dashboard");
    await expect(steps).toHaveCount(0);
  } finally {
    await site.remove();
  }
});

test("the figures count what came, in the period that the address says", async ({ ownerPage: page, request, site }) => {
  await page.goto("/dashboard");
  const before = Number(await figure(page, "boards").getByRole("paragraph").first().textContent());
  const headers = { authorization: `Bearer ${site.owner.authToken}` };
  expect((await request.post("/api/v1/boards", { data: { name: unique("Counted") }, headers })).status()).toBe(201);

  await page.goto("/dashboard");
  await expect(figure(page, "boards").getByRole("paragraph").first()).toHaveText(String(before + 1));
  const periods = page.getByRole("navigation", { name: t("dashboard.activity.period") });
  await expect(periods.getByRole("link", { name: t("dashboard.activity.days", { days: 30 }) })).toHaveAttribute("aria-current", "true");
  await periods.getByRole("link", { name: t("dashboard.activity.days", { days: 7 }) }).click();

  await expect(page).toHaveURL("/dashboard?days=7");
  await expect(periods.getByRole("link", { name: t("dashboard.activity.days", { days: 7 }) })).toHaveAttribute("aria-current", "true");
  await page.getByText(t("dashboard.activity.asTable")).click();
  const table = page.getByRole("table", { name: t("dashboard.activity.tableCaption") });
  await expect(table.getByRole("row")).toHaveCount(8);
  await expect(table.getByRole("row").nth(1).getByRole("cell").nth(2)).toHaveText(new RegExp(`${before + 1}$`));

  await page.goto("/dashboard?days=8");
  await expect(periods.getByRole("link", { name: t("dashboard.activity.days", { days: 30 }) })).toHaveAttribute("aria-current", "true");
});

test("the chart can be heard: what it shows stands in its name", async ({ ownerPage: page }) => {
  await page.goto("/dashboard?days=90");

  await expect(page.getByRole("img", { name: /New posts and new people on each of the last 90 days/ })).toBeVisible();
});

test("health says of each thing how it is, and what mends it", async ({ ownerPage: page }) => {
  await page.goto("/dashboard");

  const health = section(page, t("dashboard.health"));
  await expect(health.getByRole("listitem")).toHaveCount(5);
  const mail = health.getByRole("listitem").filter({ hasText: t("checks.names.mail") });
  await expect(mail).toContainText(t("checks.states.warning"));
  await expect(mail).toContainText(t("checks.mail.outbox"));
  await expect(mail).toContainText("SMTP_URL");
  await section(page, t("dashboard.attention.title"))
    .getByRole("link", { name: new RegExp(`${t("checks.names.mail")}$`) })
    .click();
  await expect(page).toHaveURL(/#health$/);
});

test("the outbox can show only the letters that stand in one way, and says when there are none", async ({ newVisitor }) => {
  const site = await startSite({ template: databaseTemplate(), env: { MAIL: "smtp", SMTP_URL: "smtp://127.0.0.1:1" } });
  try {
    const page = await newVisitor({ url: site.url });
    await signIn(page, site.owner);
    await page.goto("/dashboard/outbox?status=FAILED");
    await expect(page.getByText(t("outbox.empty.filteredTitle"))).toBeVisible();

    await page
      .getByRole("main")
      .getByRole("link", { name: t("outbox.status.QUEUED") })
      .click();
    await expect(page).toHaveURL("/dashboard/outbox?status=QUEUED");
    await expect(page.getByText(`to ${site.owner.email}`, { exact: true }).first()).toBeVisible();
  } finally {
    await site.remove();
  }
});

test("moving between periods keeps the page: figures change, nothing else is asked for", WITH_JAVASCRIPT, async ({ ownerPage: page, request }) => {
  await signUpByApi(request);
  await page.goto("/dashboard");
  await page.evaluate(() => document.body.setAttribute("data-kept", ""));

  await page.getByRole("link", { name: t("dashboard.activity.days", { days: 7 }) }).click();

  await expect(page).toHaveURL("/dashboard?days=7");
  await expect(figure(page, "people").getByRole("paragraph").first()).toHaveText(/^[1-9]/);
  expect(await page.evaluate(() => document.body.hasAttribute("data-kept"))).toBe(true);
});
