import type { Locator, Page, Route } from "@playwright/test";
import { reportBar } from "#lib/testing/bars";
import unanswered from "#messages/unanswered-form.json" with { type: "json" };
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { expectSignedIn, formButton, newPerson, unique } from "./people.ts";
import { t } from "./words.ts";

/** A form, what is typed into it by its fields' names, and what sends it. */
type Trial = { path: string; by: "visitor" | "owner" | "first"; typed: Record<string, string | boolean>; submit: string };

const WRONG_EMAIL = "olive at example";

const TRIALS: Trial[] = [
  { path: "/login", by: "visitor", typed: { email: "nobody@example.com", password: "not the right one" }, submit: t("login.submit") },
  { path: "/signup", by: "visitor", typed: { name: "Åsa <b>", email: WRONG_EMAIL, password: "short" }, submit: t("signup.submit") },
  { path: "/reset-password", by: "visitor", typed: { email: WRONG_EMAIL }, submit: t("reset.submit") },
  {
    path: "/dashboard/boards/new",
    by: "owner",
    typed: { name: " ", description: "Two\nlines", url: "!!!", color: "own", colorOwn: "#123456", isPrivate: true },
    submit: t("boards.form.create"),
  },
  {
    path: "/dashboard/boards/BOARD",
    by: "owner",
    typed: { name: "Another 🪁", description: "Changed", url: "!!!", color: "7c3aed", isPrivate: true },
    submit: t("boards.form.save"),
  },
  {
    path: "/dashboard/settings",
    by: "owner",
    typed: {
      title: " ",
      description: "قل لنا",
      locale: "de",
      timeZone: "Europe/Berlin",
      contact: "nobody",
      privacyUrl: "javascript:alert(1)",
      imprintUrl: "no address",
    },
    submit: t("settings.save"),
  },
  { path: "/dashboard/settings/branding", by: "owner", typed: { accentColor: "#654321", logo: "a file" }, submit: t("settings.save") },
  { path: "/me", by: "owner", typed: { name: " " }, submit: t("me.name.submit") },
  { path: "/me", by: "owner", typed: { "password.current": "not the right one", "password.new": "short" }, submit: t("me.password.submit") },
  {
    path: "/setup",
    by: "first",
    typed: {
      siteTitle: "Ideas & <b>",
      accentColor: "#135790",
      name: "Olive 🌱",
      email: WRONG_EMAIL,
      password: "short",
      blockCommonPasswords: false,
    },
    submit: t("setup.submit"),
  },
  {
    path: "/setup",
    by: "first",
    typed: { siteTitle: "Ideas & <b>", name: "Olive 🌱", email: "olive@example.com", password: "a long enough one", template: "own", boardName: " " },
    submit: t("setup.submit"),
  },
];

/** Gives a field its value as a person does, whatever kind it is; the wizard goes on to the step that it is in. */
async function answer(page: Page, form: Locator, name: string, value: string | boolean): Promise<void> {
  const choice = typeof value === "string" ? `[name="${name}"][value=${JSON.stringify(value)}][type=radio]` : "";
  const field = choice && (await form.locator(choice).count()) > 0 ? form.locator(choice) : form.locator(`[name="${name}"]`);
  const next = formButton(page, t("setup.steps.next"));
  for (let step = 0; step < 3 && !(await field.isVisible()) && (await next.isVisible()); step++) {
    await next.click();
    // The server may be asked about a step first.
    await expect(next.and(page.locator("[aria-disabled]"))).toHaveCount(0);
  }
  const kind = await field.evaluate((element) => element.getAttribute("type") ?? element.tagName);
  if (kind === "file") await field.setInputFiles({ name: "logo.svg", mimeType: "image/png", buffer: Buffer.from("<svg/>") });
  else if (kind === "SELECT") await field.selectOption(String(value));
  else if (kind === "radio" || kind === "checkbox") await field.setChecked(value !== false);
  else await field.fill(String(value));
}

/** What stands in a form's fields, but for passwords, and files, which no browser gives back. */
function contentOf(form: Locator): Promise<string[]> {
  return form.evaluate((element) =>
    [...(element as HTMLFormElement).querySelectorAll<HTMLInputElement>("input[name], textarea[name], select[name]")]
      .filter(({ type }) => !["hidden", "password", "file"].includes(type))
      .map(({ name, type, value, checked }) => (type === "radio" || type === "checkbox" ? `${name}[${value}]: ${checked}` : `${name}: ${value}`)),
  );
}

/** Errors whose link leads to no field, fields whose error has no link, and links in another order than their fields. */
function unlinkedErrors(form: Locator): Promise<string[]> {
  return form.evaluate((element) => {
    const links = [...element.querySelectorAll<HTMLAnchorElement>("[role=alert] a[href^='#']")].map(({ hash }) => hash.slice(1));
    const described = (id: string) => document.getElementById(id)?.getAttribute("aria-describedby")?.split(" ").includes(`${id}-error`);
    const failed = [...element.querySelectorAll("[id$='-error']")].map(({ id }) => id.replace(/-error$/, ""));
    const inOrder = failed.filter((id) => links.includes(id));
    return [
      ...(links.join() === inOrder.join() ? [] : [`${links.join()} are listed in another order than ${inOrder.join()}`]),
      ...links.filter((id) => !(described(id) && document.getElementById(`${id}-error`))).map((id) => `no error at ${id}`),
      ...failed.filter((id) => !links.includes(id)).map((id) => `no link to ${id}`),
    ];
  });
}

test("U15: a form that comes back has lost nothing, says so where one hears it, and leads to each field", async ({
  startOwnServer,
  newVisitor,
  ownerCookies,
  request,
  site,
}) => {
  const headers = { authorization: `Bearer ${site.owner.authToken}` };
  const { board } = await (await request.post("/api/v1/boards", { data: { name: unique("Board") }, headers })).json();
  const visits = { visitor: {}, owner: { cookies: ownerCookies }, first: { url: (await startOwnServer()).url } };
  const losses: string[] = [];

  for (const { path, by, typed, submit } of TRIALS) {
    const page = await newVisitor(visits[by]);
    await page.goto(path.replace("BOARD", board.boardId));
    const send = formButton(page, submit);
    const form = page
      .locator("main form")
      .filter({ has: page.locator(`[name="${Object.keys(typed)[0]}"]`) })
      .filter({ hasText: submit });
    for (const [name, value] of Object.entries(typed)) await answer(page, form, name, value);
    const before = await contentOf(form);

    // What is wrong with a step of the wizard is said before the next one.
    await ((await send.isVisible()) ? send : formButton(page, t("setup.steps.next"))).click();

    const summary = form.getByRole("alert");
    await expect(summary, path).toBeVisible();
    await expect(summary, path).toBeFocused();
    expect(await unlinkedErrors(form), path).toEqual([]);
    const after = await contentOf(form);
    losses.push(...before.filter((field) => !after.includes(field)).map((field) => `${path}: ${field}`));
    await page.context().close();
  }

  const losing = new Set(losses.map((loss) => loss.split(":")[0])).size;
  reportBar({ bar: "U15", measure: `forms of ${TRIALS.length} that lose input`, figure: losing, ok: losses.length === 0 });
  expect(losses).toEqual([]);
});

test("a password that was typed well and is gone from a form that came back is asked for again at its field, and no other", async ({
  newVisitor,
  javaScriptEnabled,
}) => {
  const page = await newVisitor();
  await page.goto("/signup");
  if (javaScriptEnabled !== false) await expect(page.getByRole("button", { name: t("fields.showPassword") })).toBeVisible();
  const password = page.getByLabel(t("fields.password"), { exact: true });
  const tryWith = async (typed: string) => {
    await page.getByLabel(t("fields.email"), { exact: true }).fill(WRONG_EMAIL);
    await password.fill(typed);
    await formButton(page, t("signup.submit")).click();
  };

  await tryWith("a long enough one");
  const summary = page.getByRole("main").getByRole("alert");
  await expect(summary.getByRole("link")).toHaveCount(1);
  const isGone = javaScriptEnabled === false;
  await expect(password).toHaveValue(isGone ? "" : "a long enough one");
  await expect(password).toHaveAccessibleDescription([t("fields.passwordHint"), ...(isGone ? [t("fields.again")] : [])].join(" "));

  await tryWith("short");
  await expect(summary.getByRole("link")).toHaveCount(2);
  await expect(page.getByText(t("fields.again"))).toHaveCount(0);
});

test("a form whose answer never comes says so, keeps all that was typed, and can be sent again", WITH_JAVASCRIPT, async ({ browser, site }) => {
  // Not watched: what fails here is an error in the browser's eyes, too.
  const context = await browser.newContext({ baseURL: site.url });
  const page = await context.newPage();
  const person = newPerson();
  await page.goto("/signup", { waitUntil: "networkidle" });
  const fields = { name: "Åsa <b>", email: person.email, password: person.password };
  for (const [name, typed] of Object.entries(fields)) await page.locator(`input[name="${name}"]`).fill(typed);
  const form = page.getByRole("main").locator("form");
  const before = await contentOf(form);

  const waysToFail: ((route: Route) => Promise<void>)[] = [
    (route) => route.abort("connectionreset"),
    (route) => route.fulfill({ status: 503, contentType: "text/html", body: "<!doctype html><title>Heard is starting</title>" }),
    (route) => route.fulfill({ status: 502, contentType: "text/plain", body: "Bad Gateway" }),
  ];
  for (const fail of waysToFail) {
    await page.route("/signup", (route) => (route.request().method() === "POST" ? fail(route) : route.fallback()));
    await formButton(page, t("signup.submit")).click();
    await expect(form.getByRole("alert")).toHaveText(unanswered.en);
    await expect(form.getByRole("alert")).toBeFocused();
    expect(await contentOf(form)).toEqual(before);
    await expect(page.getByLabel(t("fields.password"), { exact: true })).toHaveValue(person.password);
    await page.unroute("/signup");
    // Each try ends with an answer of its own, so that the next begins without the words of this one.
    await page.getByLabel(t("fields.email"), { exact: true }).fill(WRONG_EMAIL);
    await formButton(page, t("signup.submit")).click();
    await expect(form.getByRole("alert")).not.toHaveText(unanswered.en);
    await page.getByLabel(t("fields.email"), { exact: true }).fill(person.email);
  }

  await formButton(page, t("signup.submit")).click();
  await expectSignedIn(page);
  await context.close();
});
