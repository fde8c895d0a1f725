import { reportBar } from "#lib/testing/bars";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { everyAddress } from "./looks/pages.ts";
import { expectSignedIn, formButton, newPerson, signInHere } from "./people.ts";
import { OWNER } from "./site.ts";
import { fill, fillOwner, GOOD, goOn, send } from "./wizard.ts";
import { plain, t } from "./words.ts";

const PAGES = [...everyAddress(), "/nothing/here", "/SETUP"];

test("whoever comes first is led to the wizard from every page, and ends as the signed-in owner", async ({ startOwnServer, newVisitor }) => {
  const { url } = await startOwnServer();
  const page = await newVisitor({ url });

  for (const path of PAGES) {
    await page.goto(path);
    expect(new URL(page.url()).pathname, path).toBe("/setup");
  }
  await expect(page).toHaveTitle(t("setup.title"));
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await fill(page, GOOD);
  await send(page);

  await expect(page).toHaveURL(/\/dashboard\?notice=set-up$/);
  await expect(page.getByRole("status")).toContainText(plain("dashboard.setUpDone", { site: GOOD.siteTitle ?? "" }));
  await expect.poll(() => page.evaluate(() => Object.keys(sessionStorage)), "what was typed is kept no longer").toEqual([]);
  await expectSignedIn(page);
  await page.locator("[data-banner]").getByRole("link").click();
  await page.getByRole("main").getByRole("link", { name: "outbox", exact: true }).click();
  await expect(page.getByText(plain("outbox.to", { address: OWNER.email }), { exact: true })).toBeVisible();
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(GOOD.siteTitle as string);
  await expect(page.getByRole("link", { name: GOOD.boardName })).toBeVisible();

  const stranger = await newVisitor({ url });
  for (const path of ["/setup", "/setup/", "/setup?x", "/SETUP", `${url}//setup`, "/setup/?next=/setup"]) {
    for (const visitor of [page, stranger]) {
      await visitor.goto(path);
      await expect(visitor, path).not.toHaveTitle(t("setup.title"));
      await expect(visitor.getByRole("textbox"), path).toHaveCount(visitor.url().includes("/login") ? 2 : 0);
    }
  }
  await stranger.goto("/setup");
  await expect(stranger.getByText(t("login.alreadySetUp"))).toBeVisible();
});

test("who still has the wizard open when somebody else was faster is told so, and where to go on", async ({ startOwnServer, newVisitor, request }) => {
  const { url } = await startOwnServer();
  const page = await newVisitor({ url });
  await page.goto("/setup");
  await fill(page, { ...GOOD, ...newPerson() });

  await request.post(`${url}/api/v1/auth/setup`, { data: OWNER });
  await send(page);

  // Without JavaScript the answer is the wizard's page once more, which by now leads away.
  const [inForm, onSignInPage] = [page.getByText(t("errors.SETUP_COMPLETED")), page.getByText(t("login.alreadySetUp"))];
  await expect(inForm.or(onSignInPage)).toBeVisible();
  if (await inForm.isVisible())
    await page
      .getByRole("main")
      .getByRole("link", { name: t("setup.signIn") })
      .click();
  await expect(page).toHaveURL(/\/login(\?notice=set-up)?$/);
  await signInHere(page, OWNER);
});

test("where mail is not configured the wizard explains the ways out of it", WITH_JAVASCRIPT, async ({ startOwnServer, newVisitor }) => {
  const { url } = await startOwnServer({ MAIL: "none" });
  const page = await newVisitor({ url });
  await page.goto("/");
  await expect(page.getByRole("heading", { name: t("setup.noMail.title") })).toBeVisible();
  for (const kind of ["outbox", "smtp", "resend"] as const) await expect(page.getByText(t(`setup.noMail.${kind}.line`))).toBeVisible();
  await expect(formButton(page, t("setup.submit"))).toHaveCount(0);
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), "lines to copy scroll, the page does not").toBeLessThanOrEqual(320);
  await page.getByRole("link", { name: t("setup.noMail.again") }).click();
  await expect(page).toHaveURL(/\/setup$/);
});

test("SETUP_TOKEN is asked for, and nobody without it becomes the owner", WITH_JAVASCRIPT, async ({ startOwnServer, newVisitor }) => {
  const { url } = await startOwnServer({ SETUP_TOKEN: "open sesame" });
  const page = await newVisitor({ url });
  await page.goto("/");

  await fill(page, { ...GOOD, boardName: undefined });
  await expect(page.getByRole("main").getByRole("alert")).toContainText(t("errors.problems.noSetupToken"));
  await page.goto("/setup");
  await fill(page, { ...GOOD, setupToken: "open barley" });
  await send(page);
  await expect(page.getByRole("main").getByRole("alert")).toContainText(t("setup.wrongToken"));
  await expect(page.getByLabel(t("fields.setupToken"))).toHaveAttribute("aria-invalid", "true");
  expect(await page.content()).not.toContain("open barley");

  await expect(page.getByLabel(t("fields.boardName"))).toBeHidden();
  await expect(page.getByRole("listitem").filter({ hasText: t("setup.steps.site") })).toHaveAttribute("aria-current", "step");
  await fillOwner(page, { setupToken: "open sesame" });
  await expect(page.getByText(t("setup.wrongToken"))).toHaveCount(0);
  await goOn(page);
  await send(page);
  await expectSignedIn(page);
});

test.describe("with JavaScript", WITH_JAVASCRIPT, () => {
  test("U1: a first visit ends in a finished site within a minute, and asks at most nine things", async ({ startOwnServer, newVisitor }) => {
    const { url } = await startOwnServer();
    const page = await newVisitor({ url });
    const start = Date.now();

    await page.goto("/");
    const fields = await page
      .locator("main [name]:not([type=hidden])")
      .evaluateAll((inputs) => new Set(inputs.map((input) => input.getAttribute("name"))).size);
    await fill(page, GOOD);
    await send(page);
    await expectSignedIn(page);

    const seconds = (Date.now() - start) / 1000;
    const isShort = seconds <= 60 && fields <= 9;
    reportBar({
      bar: "U1",
      measure: "first visit to finished site",
      figure: `${seconds.toFixed(1)} s, ${fields} fields`,
      ok: isShort,
    });
    expect(fields).toBeLessThanOrEqual(9);
  });

  test("Enter in a field leads to the next step, with Ctrl too; only in the last it sends the form", async ({ startOwnServer, newVisitor, request }) => {
    const { url } = await startOwnServer();
    const page = await newVisitor({ url });
    await page.goto("/setup");
    await goOn(page);
    for (const name of ["name", "email", "password", "siteTitle"] as const) await page.getByLabel(t(`fields.${name}`), { exact: true }).fill(GOOD[name] ?? "");

    for (const keys of ["Enter", "ControlOrMeta+Enter"]) {
      await page.getByLabel(t("fields.siteTitle")).press(keys);
      await expect(page).toHaveURL(/#board$/);
      await page.goBack();
      await expect(page).toHaveURL(/#site$/);
    }

    expect(await (await request.get(`${url}/api/v1/auth/setup`)).json()).toEqual({ is_setup: false });
    await goOn(page);
    await page.getByLabel(t("setup.templates.own.name")).check();
    await page.getByLabel(t("fields.boardName")).fill("Mine");
    await page.keyboard.press("Enter");
    await expectSignedIn(page);
  });

  test("what was typed is still there after the page was loaded anew and after going back and forth; the preview shows it", async ({
    startOwnServer,
    newVisitor,
  }) => {
    const { url } = await startOwnServer();
    const page = await newVisitor({ url });
    await page.goto("/setup");
    await expect(page.getByText(t("setup.preview"))).toBeVisible();
    const size = page.viewportSize();
    for (const width of [375, 768, size?.width ?? 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(page.getByText(t("setup.preview"))).toBeVisible();
    }

    await goOn(page);
    await page.getByRole("button", { name: t("fields.showPassword") }).click();
    await fill(page, GOOD);
    await expect(page.locator("aside")).toContainText(GOOD.siteTitle as string);
    await expect(page.locator("aside")).toContainText(GOOD.boardName as string);
    await page.goBack();
    await expect(page).toHaveURL(/#site$/);
    await expect(page.getByLabel(t("fields.siteTitle"))).toHaveValue(GOOD.siteTitle as string);
    await page.reload();

    await expect(page.getByLabel(t("fields.siteTitle"))).toHaveValue(GOOD.siteTitle as string);
    await expect(page.getByLabel(t("fields.password"), { exact: true })).toHaveValue("");
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(GOOD.password);
  });
});
