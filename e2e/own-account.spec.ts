import type { Page } from "@playwright/test";
import sharp from "sharp";
import { initials } from "#lib/initials";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { newestLetterTo } from "./letters.ts";
import { expectSignedIn, expectSignedOut, formButton, signIn, signInHere, signOut, signUpByApi } from "./people.ts";
import { plain, t } from "./words.ts";

const NEW_PASSWORD = "a whole new password";
/** Above what a picture may have, and what the front server lets through. */
const TOO_LARGE = { name: "huge.png", mimeType: "image/png", buffer: Buffer.alloc(12_000_000) };

type Part = "name" | "picture" | "email" | "password" | "preferences" | "sessions";

/** A part of the page, where its address leads. */
function section(page: Page, part: Part) {
  return page.locator(`#${part}`).filter({ has: page.getByRole("heading", { level: 2, name: t(`me.${part}.title`) }) });
}

async function expectNotice(page: Page, part: Part, notice: string): Promise<void> {
  await expect(section(page, part).getByRole("status")).toHaveText(notice);
}

async function aPicture(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const buffer = await sharp({ create: { width: 300, height: 200, channels: 3, background: "#0f6b7c" } })
    .png()
    .toBuffer();
  return { name: "me.png", mimeType: "image/png", buffer };
}

test("the account is for who is signed in; who is not is led there by signing in", async ({ page, request }) => {
  await page.goto("/me");
  await expect(page).toHaveURL("/login?next=%2Fme");

  await signInHere(page, await signUpByApi(request));

  await expect(page).toHaveURL("/me");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("me.title"));
  await page.goto("/.well-known/change-password");
  await expect(page).toHaveURL("/me#password");
});

test("a person changes their name, and a name that is none is sent back", async ({ page, request }) => {
  await signIn(page, await signUpByApi(request));
  await page.goto("/me");
  const name = page.getByLabel(t("fields.name"), { exact: true });

  await name.fill("  ");
  await formButton(page, t("me.name.submit")).click();
  await expect(section(page, "name").getByRole("alert")).toBeVisible();
  await name.fill("Åsa Ekström 🌱");
  await formButton(page, t("me.name.submit")).click();

  await expectNotice(page, "name", t("me.notices.name"));
  await expect(name).toHaveValue("Åsa Ekström 🌱");
  await expect(page.getByRole("banner").locator("summary text"), "the initials are those of the new name").toHaveText("ÅE");

  await name.fill("");
  await formButton(page, t("me.name.submit")).click();
  await expect(section(page, "name").getByRole("alert")).toBeVisible();
  await expect(page.getByText(t("me.notices.name")), "what was done before is old news").toBeHidden();

  await name.fill("Åsa");
  await formButton(page, t("me.name.submit")).click();
  await expectNotice(page, "name", t("me.notices.name"));
});

test("what was wrong with a field is said no longer once it is typed into", WITH_JAVASCRIPT, async ({ page, request }) => {
  await signIn(page, await signUpByApi(request));
  await page.goto("/me");
  const name = page.getByLabel(t("fields.name"), { exact: true });
  await name.fill("");
  await formButton(page, t("me.name.submit")).click();
  await expect(section(page, "name").getByRole("alert")).toBeFocused();

  await name.pressSequentially("Å");

  await expect(section(page, "name").getByRole("alert")).toHaveCount(0);
  await expect(name).not.toHaveAttribute("aria-invalid");
  await expect(name).toBeFocused();
});

test("a person gives a picture, sees it at once, and takes it away again", async ({ page, request }) => {
  const person = await signUpByApi(request);
  await signIn(page, person);
  const { user } = await (await request.get("/api/v1/users/me", { headers: { authorization: `Bearer ${person.authToken}` } })).json();
  const part = section(page, "picture");
  const drawn = part.locator("svg text").filter({ hasText: initials(user.name) });
  await page.goto("/me");
  await expect(drawn).toBeVisible();

  await page.getByLabel(t("me.picture.label")).setInputFiles({ name: "me.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") });
  await formButton(page, t("me.picture.submit")).click();
  await expect(part.getByRole("alert")).toContainText(t("errors.UNSUPPORTED_MEDIA_TYPE"));
  await page.getByLabel(t("me.picture.label")).setInputFiles(await aPicture());
  await formButton(page, t("me.picture.submit")).click();

  await expectNotice(page, "picture", t("me.notices.picture"));
  await expect(drawn).toHaveCount(0);
  for (const place of [part.locator("img"), page.getByRole("banner").locator("summary img")])
    await expect(place).toHaveAttribute("src", new RegExp(`^/avatars/${user.userId}\\?v=`));
  const picture = await page.request.get(`/avatars/${user.userId}`);
  const again = await page.request.get(`/avatars/${user.userId}`, { headers: { "if-none-match": picture.headers().etag ?? "" } });
  expect([picture.headers()["content-type"], again.status()]).toEqual(["image/webp", 304]);

  await formButton(page, t("me.picture.remove")).click();
  await expectNotice(page, "picture", t("me.notices.picture-removed"));
  await expect(drawn).toBeVisible();
  await expect(formButton(page, t("me.picture.remove"))).toHaveCount(0);
});

test("a picture that is too large is refused with a reason", async ({ page, request }) => {
  await signIn(page, await signUpByApi(request));
  await page.goto("/me");

  await page.getByLabel(t("me.picture.label")).setInputFiles(TOO_LARGE);
  // With JavaScript the page says so at once, and sends no file; without, the front server refuses it.
  await formButton(page, t("me.picture.submit")).click();

  await expect(section(page, "picture")).toContainText(t("errors.PAYLOAD_TOO_LARGE"));
  await expectSignedIn(page);
});

test("what else was typed stays when a picture is too large", WITH_JAVASCRIPT, async ({ page, request }) => {
  await signIn(page, await signUpByApi(request));
  await page.goto("/me");
  await page.getByLabel(t("fields.name"), { exact: true }).fill("Typed with care");

  await page.getByLabel(t("me.picture.label")).setInputFiles({ ...TOO_LARGE, buffer: Buffer.alloc(10_000_001) });

  await expect(section(page, "picture")).toContainText(t("errors.PAYLOAD_TOO_LARGE"));
  await expect(page.getByLabel(t("fields.name"), { exact: true })).toHaveValue("Typed with care");
});

test("a new password needs the current one, and signs every other device out", async ({ page, ownerPage, newVisitor, request }) => {
  const person = await signUpByApi(request);
  const elsewhere = await newVisitor();
  for (const visitor of [page, elsewhere]) await signIn(visitor, person);
  await page.goto("/me");
  const change = async (current: string, next: string) => {
    await page.getByLabel(t("fields.currentPassword")).fill(current);
    await page.getByLabel(t("fields.newPassword")).fill(next);
    await formButton(page, t("me.password.submit")).click();
  };
  const part = section(page, "password");

  await change("not the right one", NEW_PASSWORD);
  await expect(part.getByRole("alert")).toContainText(t("me.password.wrong"));
  expect(await page.content()).not.toContain(NEW_PASSWORD);
  await change(person.password, "short");
  await expect(part.getByRole("alert")).toContainText(t("errors.PASSWORD_TOO_SHORT"));
  await change(person.password, NEW_PASSWORD);

  await expectNotice(page, "password", t("me.notices.password"));
  await expectSignedIn(page);
  await elsewhere.goto("/");
  await expectSignedOut(elsewhere);
  await newestLetterTo(ownerPage, person.email, "password-changed");
  await page.context().clearCookies();
  await signIn(page, { ...person, password: NEW_PASSWORD });
});

test("a password that is not given is named at its field, and both where neither is", async ({ page, request }) => {
  await signIn(page, await signUpByApi(request));
  await page.goto("/me");

  await formButton(page, t("me.password.submit")).click();

  const faults = section(page, "password").getByRole("alert").getByRole("link");
  await expect(faults).toHaveText([t("me.password.missing"), t("errors.PASSWORD_MISSING")]);
  await page.getByLabel(t("fields.newPassword")).fill(NEW_PASSWORD);
  await formButton(page, t("me.password.submit")).click();
  await expect(faults).toHaveText([t("me.password.missing")]);
});

test("an address that is not confirmed yet gets its letter again", async ({ page, ownerPage, request }) => {
  const person = await signUpByApi(request);
  const first = await newestLetterTo(ownerPage, person.email);
  await signIn(page, person);
  await page.goto("/me");
  const part = section(page, "email");
  await expect(part).toContainText(t("me.email.unconfirmed"));

  await formButton(page, t("me.email.sendAgain")).click();

  await expectNotice(page, "email", t("me.notices.letter-kept"));
  const { link } = await newestLetterTo(ownerPage, person.email);
  expect(link).not.toBe(first.link);
  await page.goto(link);
  await formButton(page, t("confirm.submit")).click();
  await expect(page.getByText(t("confirm.done.text"))).toBeVisible();
  await page.goto("/me");
  await expect(part).toContainText(t("me.email.confirmed"));
  await expect(formButton(page, t("me.email.sendAgain"))).toHaveCount(0);
});

test("who can read the outbox is led to the letter there, not to the team", async ({ ownerPage, site }) => {
  await ownerPage.goto("/me");
  await expect(section(ownerPage, "email")).toContainText(plain("confirmingEmail.inOutbox", { email: site.owner.email, link: "outbox" }));
  await ownerPage.goto("/confirm-address");
  await expect(ownerPage.getByText(plain("confirmingEmail.inOutbox", { email: site.owner.email, link: "outbox" }))).toBeVisible();

  await ownerPage
    .getByText(plain("confirmingEmail.inOutbox", { email: site.owner.email, link: "outbox" }))
    .getByRole("link")
    .click();

  await expect(ownerPage).toHaveURL(`/dashboard/outbox?${new URLSearchParams({ q: site.owner.email })}`);
});

test("language, look and shortcuts are kept, and the language comes along to the next browser", async ({ page, newVisitor, request }) => {
  const person = await signUpByApi(request);
  await signIn(page, person);
  await page.goto("/me");

  await page.getByLabel(t("me.preferences.language"), { exact: true }).selectOption("de");
  await page.getByLabel(t("site.themes.dark"), { exact: true }).first().check();
  await page.getByLabel(t("me.preferences.shortcuts")).uncheck();
  await formButton(page, t("me.preferences.submit")).click();

  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("combobox")).toHaveValue("de");
  await expect(page.getByRole("checkbox")).not.toBeChecked();
  const elsewhere = await newVisitor();
  await elsewhere.goto("/login");
  await elsewhere.getByLabel(t("fields.email")).fill(person.email);
  await elsewhere.getByLabel(t("fields.password")).fill(person.password);
  await formButton(elsewhere, t("login.submit")).click();
  await expect(elsewhere).toHaveURL("/");
  await expect(elsewhere.locator("html")).toHaveAttribute("lang", "de");
  await expect(elsewhere.locator("html")).not.toHaveAttribute("data-theme");
});

test("a person sees where they are signed in, and signs out one device, or all but this", async ({ page, newVisitor, request }) => {
  const person = await signUpByApi(request);
  const [one, another] = [await newVisitor(), await newVisitor()];
  for (const visitor of [one, another, page]) await signIn(visitor, person);
  await page.goto("/me");
  const devices = section(page, "sessions").getByRole("listitem");
  await expect(devices).toHaveCount(4);
  await expect(devices.filter({ hasText: t("me.sessions.current") })).toHaveCount(1);
  await expect(devices.filter({ hasText: t("me.sessions.current") })).toContainText(t("people.device.both", { browser: "Chrome", system: "Linux" }));

  await devices
    .filter({ hasNotText: t("me.sessions.current") })
    .first()
    .getByRole("button")
    .click();
  await expectNotice(page, "sessions", t("me.notices.session"));
  await expect(devices).toHaveCount(3);
  await formButton(page, t("me.sessions.signOutElsewhere")).click();
  await expectNotice(page, "sessions", t("me.notices.sessions"));

  await expect(devices).toHaveCount(1);
  for (const visitor of [one, another]) {
    await visitor.goto("/");
    await expectSignedOut(visitor);
  }
  await signOut(page);
  await expectSignedOut(page);
  await page.goto("/me");
  await expect(page).toHaveURL("/login?next=%2Fme");
});

test("who signs up on a German page is written to in German", async ({ newVisitor, ownerPage, site }) => {
  const page = await newVisitor({ cookies: [{ name: "heard-locale", value: "de", url: site.url } as never] });
  const email = `person-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await page.goto("/signup");
  await page.locator("[name=email]").fill(email);
  await page.locator("[name=password]").fill(NEW_PASSWORD);
  await page.getByRole("main").getByRole("button").last().click();
  await expect(page).toHaveURL("/?notice=signed-up");

  const { text } = await newestLetterTo(ownerPage, email);

  expect(text).toContain("Bestätige");
});
