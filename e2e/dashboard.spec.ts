import type { Page } from "@playwright/test";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { newestLetterTo } from "./letters.ts";
import { formButton, signIn, signUpByApi, unique } from "./people.ts";
import { OWNER } from "./site.ts";
import { plain, t } from "./words.ts";

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const figure = (page: Page, name: "posts" | "people" | "boards" | "letters") =>
  section(page, t("dashboard.activity.title"))
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: t(`dashboard.activity.${name}`), exact: true }) });
const onlyThisMachine = plain("dashboard.firstSteps.steps.people.local", { link: "" }).trim();
/** The total that a figure shows. */
const total = async (page: Page, name: Parameters<typeof figure>[1]) => Number(await figure(page, name).getByRole("paragraph").first().textContent());

test("first steps tick themselves as they are done, and can be put away and brought back", async ({ startOwnServer, newVisitor, request }) => {
  const { url } = await startOwnServer();
  await request.post(`${url}/api/v1/auth/setup`, { data: OWNER });
  const page = await newVisitor({ url });
  await signIn(page, OWNER);
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
  await expect(steps.getByText(url, { exact: true })).toBeVisible();
  await expect(steps.getByText(onlyThisMachine)).toBeVisible();

  const { link } = await newestLetterTo(page, OWNER.email);
  // Their own link is not to be handed on.
  await expect(page.getByRole("region", { name: t("outbox.passOn.title") })).toHaveCount(0);
  const opening = page.waitForEvent("popup");
  await page
    .getByTitle(t("outbox.asHtml"))
    .contentFrame()
    .getByRole("link", { name: t("emails.confirmAddress.button") })
    .click();
  const opened = await opening;
  await expect(opened).toHaveURL(link);
  await formButton(opened, t("confirm.submit")).click();
  await expect(opened.getByText(t("confirm.done.text"))).toBeVisible();
  await page.goto("/dashboard");
  await expect(steps).toContainText(t("dashboard.firstSteps.progress", { done: 2, total: 5 }));

  await formButton(page, t("dashboard.firstSteps.putAway")).click();
  await expect(page.getByRole("status")).toContainText(t("dashboard.firstSteps.hidden"));
  await expect(steps).toHaveCount(0);
  await formButton(page, t("dashboard.firstSteps.undo")).click();
  await expect(steps).toContainText(t("dashboard.firstSteps.progress", { done: 2, total: 5 }));

  await formButton(page, t("dashboard.firstSteps.putAway")).click();
  await expect(page.getByRole("status")).toContainText(t("dashboard.firstSteps.hidden"));
  await page.goto("/dashboard");
  await expect(steps).toHaveCount(0);
});

test("where others can open the site, its address is there to hand on, and nothing says that they cannot", async ({ startOwnServer, newVisitor, request }) => {
  const { url } = await startOwnServer();
  const { port } = new URL(url);
  await request.post(`${url}/api/v1/auth/setup`, { data: OWNER, headers: { host: `feedback.example.com:${port}` } });
  const page = await newVisitor({ url });
  await signIn(page, OWNER);
  await page.goto("/dashboard");

  const steps = section(page, t("dashboard.firstSteps.title"));
  await expect(steps.getByText(`http://feedback.example.com:${port}`, { exact: true })).toBeVisible();
  await expect(steps.getByText(onlyThisMachine)).toHaveCount(0);
});

test("the figures count what came, in the period that the address says", async ({ ownerPage: page, request, site }) => {
  await page.goto("/dashboard");
  const before = await total(page, "boards");
  const headers = { authorization: `Bearer ${site.owner.authToken}` };
  expect((await request.post("/api/v1/boards", { data: { name: unique("Counted") }, headers })).status()).toBe(201);

  await page.goto("/dashboard");
  await expect(figure(page, "boards").getByRole("paragraph").first()).toHaveText(String(before + 1));
  await expect(figure(page, "boards").getByRole("paragraph").last()).toHaveText(t("dashboard.activity.change.from", { before: 0 }));
  await expect(figure(page, "boards").getByRole("paragraph").last().locator("svg"), "from nothing there is no way up").toHaveCount(0);
  const periods = page.getByRole("navigation", { name: t("dashboard.activity.period") });
  await expect(periods.getByRole("link", { name: t("dashboard.activity.days", { days: 30 }) })).toHaveAttribute("aria-current", "true");
  await periods.getByRole("link", { name: t("dashboard.activity.days", { days: 7 }) }).click();

  await expect(page).toHaveURL("/dashboard?days=7");
  await expect(periods.getByRole("link", { name: t("dashboard.activity.days", { days: 7 }) })).toHaveAttribute("aria-current", "true");
  await page.getByText(t("dashboard.activity.asTable")).click();
  const table = page.getByRole("table", { name: t("dashboard.activity.tableCaption") });
  await expect(table.getByRole("row")).toHaveCount(8);
  await expect(table.getByRole("row").nth(1).getByRole("cell").nth(2)).toHaveText(new RegExp(`${before + 1}$`));
  const csv = await page.request.get((await page.getByRole("link", { name: t("dashboard.activity.asCsv") }).getAttribute("href")) ?? "");
  expect(csv.headers()).toMatchObject({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": expect.stringMatching(/^attachment; filename="activity-[\d-]{10}-to-[\d-]{10}\.csv"$/),
  });
  const lines = (await csv.text()).trimEnd().split("\r\n");
  expect([lines.length, lines[0], lines.at(-1)?.split(",")[3]]).toEqual([8, "day,posts,people,boards,emails", String(before + 1)]);

  await figure(page, "people")
    .getByRole("link", { name: t("dashboard.activity.people") })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("people.title"));

  await page.goto("/dashboard?days=8");
  await expect(periods.getByRole("link", { name: t("dashboard.activity.days", { days: 30 }) })).toHaveAttribute("aria-current", "true");
});

test("the chart can be heard: what it shows stands in its name", async ({ ownerPage: page }) => {
  await page.goto("/dashboard?days=90");

  const [posts, people] = [await total(page, "posts"), await total(page, "people")];
  await expect(page.getByRole("img", { name: t("dashboard.activity.chart", { days: 90, posts, people }), exact: true })).toBeVisible();
});

test("health says of each thing how it is, and what mends it", async ({ ownerPage: page }) => {
  await page.goto("/dashboard");

  const health = section(page, t("dashboard.health"));
  await expect(health.getByRole("listitem")).toHaveCount(6);
  await expect(health.getByRole("listitem").filter({ hasText: t("checks.names.backup") })).toContainText("npm run backup");
  const mail = health.getByRole("listitem").filter({ hasText: t("checks.names.mail") });
  await expect(mail).toContainText(t("checks.states.warning"));
  await expect(mail).toContainText(t("checks.mail.outbox"));
  await expect(mail).toContainText("SMTP_URL");
  await section(page, t("dashboard.attention.title"))
    .getByRole("link", { name: new RegExp(`${t("checks.names.mail")}$`) })
    .click();
  await expect(page).toHaveURL(/#health$/);
});

test("the outbox can show only the letters that stand in one way, and says when there are none", async ({ startOwnServer, newVisitor, request }) => {
  const { url } = await startOwnServer({ MAIL: "smtp", SMTP_URL: "smtp://127.0.0.1:1" });
  await request.post(`${url}/api/v1/auth/setup`, { data: OWNER });
  const page = await newVisitor({ url });
  await signIn(page, OWNER);
  await page.goto("/dashboard/outbox?status=FAILED");
  await expect(page.getByText(t("outbox.empty.none.FAILED.title"))).toBeVisible();

  await page
    .getByRole("main")
    .getByRole("link", { name: t("outbox.status.QUEUED") })
    .click();
  await expect(page).toHaveURL("/dashboard/outbox?status=QUEUED");
  await expect(page.getByText(plain("outbox.to", { address: OWNER.email }), { exact: true }).first()).toBeVisible();
});

test("where no email that was looked for stands in one way, the outbox says so and leads to those that match", async ({ ownerPage: page, request }) => {
  const { email } = await signUpByApi(request);
  await newestLetterTo(page, email);
  const found = `/dashboard/outbox?${new URLSearchParams({ q: email })}`;
  const all = page.getByRole("link", { name: t("outbox.empty.found.all") });
  for (const status of ["QUEUED", "FAILED"] as const) {
    await page.goto(`${found}&status=${status}`);
    await expect(page.getByText(t(`outbox.empty.found.${status}`, { q: email }))).toBeVisible();
    await expect(page.getByText(t("outbox.empty.found.text", { count: 1 }))).toBeVisible();
    await expect(page.getByText(t(`outbox.empty.none.${status}.title`))).toHaveCount(0);
    await expect(page.getByRole("link", { name: t("outbox.empty.found.clear") })).toHaveAttribute("href", `/dashboard/outbox?status=${status}`);
  }

  await all.click();
  await expect(page).toHaveURL(found);
  await expect(page.getByText(plain("outbox.to", { address: email }), { exact: true })).toBeVisible();

  await page.goto("/dashboard/outbox?q=nobody%40nowhere.example&status=FAILED");
  await expect(page.getByText(t("outbox.empty.foundTitle", { q: "nobody@nowhere.example" }))).toBeVisible();
  await expect(all).toHaveCount(0);
});

test("past its end the outbox leads back to the newest emails once", async ({ ownerPage: page }) => {
  await page.goto("/dashboard/outbox?after=00000000-0000-7000-8000-000000000000");

  await expect(page.getByText(t("outbox.empty.endTitle"))).toBeVisible();
  await expect(page.getByRole("link", { name: t("outbox.empty.first") })).toHaveCount(1);
});

test("an email that was refused is sent again from where it was found", async ({ startOwnServer, newVisitor, request, smtp }) => {
  smtp.refuseRecipientsWith = "550 5.1.1 No such user";
  const { url } = await startOwnServer({ MAIL: "smtp", SMTP_URL: smtp.url });
  await request.post(`${url}/api/v1/auth/setup`, { data: OWNER });
  const page = await newVisitor({ url });
  await signIn(page, OWNER);
  const found = `/dashboard/outbox?${new URLSearchParams({ q: OWNER.email, status: "FAILED" })}`;
  // The one that confirms the address, and the one on the new device.
  const refused = page.getByText("550 5.1.1 No such user");
  await expect(async () => {
    await page.goto(found);
    await expect(refused).toHaveCount(2, { timeout: 1000 });
  }).toPass();
  const letters = page.getByRole("listitem").filter({ has: page.getByRole("heading") });
  const marked = (status: "QUEUED" | "SENT" | "FAILED") => letters.filter({ hasText: t(`outbox.status.${status}`) });
  await expect(marked("FAILED")).toHaveCount(2);

  smtp.refuseRecipientsWith = null;
  await page
    .getByRole("button", { name: t("outbox.retryNamed", { address: OWNER.email }) })
    .first()
    .click();

  await expect(page).toHaveURL(`${found}&notice=queued`);
  await expect(refused).toHaveCount(1);
  await expect.poll(() => smtp.received.flatMap(({ to }) => to)).toEqual([OWNER.email]);
  // The receiver has it before the site notes that it does.
  await expect(async () => {
    await page.goto(found.replace("FAILED", "SENT"));
    await expect(marked("SENT")).toHaveCount(1, { timeout: 1000 });
  }).toPass();
  await letters.getByRole("heading").getByRole("link").click();
  await expect(page.getByRole("definition").filter({ hasText: t("outbox.status.SENT") })).toBeVisible();
});

test("where an email did not get through, its link is there to be handed on", async ({ startOwnServer, newVisitor, request, smtp }) => {
  const email = "refused@example.com";
  smtp.refuseRecipientsWith = "550 5.1.1 No such user";
  const { url } = await startOwnServer({ MAIL: "smtp", SMTP_URL: smtp.url });
  await request.post(`${url}/api/v1/auth/setup`, { data: OWNER });
  await request.post(`${url}/api/v1/auth/signup`, { data: { email, password: OWNER.password } });
  const page = await newVisitor({ url });
  await signIn(page, OWNER);
  const refused = page.getByText("550 5.1.1 No such user");
  await expect(async () => {
    await page.goto(`/dashboard/outbox?${new URLSearchParams({ q: email, status: "FAILED" })}`);
    await expect(refused).toHaveCount(1, { timeout: 1000 });
  }).toPass();

  await page.getByRole("listitem").getByRole("heading").getByRole("link").click();

  const passOn = page.getByRole("region", { name: t("outbox.passOn.title") });
  await expect(passOn).toContainText(plain("outbox.passOn.textFailed", { address: email }));
  await expect(passOn).toContainText(`${url}/confirm-address?token=`);
});

test("the emails to somebody are found by a part of their address, and from their own page", async ({ ownerPage: page, request }) => {
  const person = await signUpByApi(request);
  await signUpByApi(request);
  const rows = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading") });
  await page.goto("/dashboard/outbox");
  await page.getByRole("main").getByLabel(t("outbox.search.label")).fill(person.email.slice(0, -4).toUpperCase());
  await page.getByRole("main").getByLabel(t("outbox.search.label")).press("Enter");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(person.email);

  await page.getByRole("main").getByLabel(t("outbox.search.label")).fill("nobody@nowhere.example");
  await page.getByRole("main").getByLabel(t("outbox.search.label")).press("Enter");
  await expect(page.getByText(t("outbox.empty.foundTitle", { q: "nobody@nowhere.example" }))).toBeVisible();

  await page.goto(`/dashboard/users?q=${encodeURIComponent(person.email)}`);
  await page.getByRole("link", { name: person.name }).click();
  await page.getByRole("link", { name: t("people.facts.emailsTo") }).click();
  await expect(page).toHaveURL(`/dashboard/outbox?${new URLSearchParams({ q: person.email })}`);
  await expect(rows).toHaveCount(1);
});

test("moving between periods keeps the page and changes what it shows of them", WITH_JAVASCRIPT, async ({ ownerPage: page, request }) => {
  await signUpByApi(request);
  await page.goto("/dashboard");
  await page.evaluate(() => document.body.setAttribute("data-kept", ""));

  await page.getByRole("link", { name: t("dashboard.activity.days", { days: 7 }) }).click();

  await expect(page).toHaveURL("/dashboard?days=7");
  const [ofSevenDays] = t("dashboard.activity.chart", { days: 7, posts: 0, people: 0 }).split(":");
  await expect(page.getByRole("img", { name: ofSevenDays })).toBeVisible();
  await expect(figure(page, "people").getByRole("paragraph").first()).toHaveText(/^[1-9]/);
  expect(await page.evaluate(() => document.body.hasAttribute("data-kept"))).toBe(true);
});
