import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { newestLetterTo } from "./letters.ts";
import { expectSignedIn, expectSignedOut, formButton, newPerson, signIn, signUpByApi } from "./people.ts";
import { plain, t } from "./words.ts";

const NEW_PASSWORD = "a whole new password";

test("who forgot their password gets back in by the letter's link, and every other device is signed out", async ({ page, ownerPage, newVisitor, request }) => {
  const person = await signUpByApi(request);
  const elsewhere = await newVisitor();
  await signIn(elsewhere, person);
  await page.goto(`/login?email=${encodeURIComponent(person.email)}`);
  await page.getByRole("link", { name: t("login.forgot") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("reset.title"));
  await expect(page.getByLabel(t("fields.email"))).toHaveValue(person.email);

  await formButton(page, t("reset.submit")).click();

  await expect(page.getByRole("status")).toContainText(plain("reset.kept.text", { email: person.email }));
  // Nobody could hand an owner who is alone what only they can read.
  await expect(page.getByText("npm run owner:reset-password", { exact: true })).toBeVisible();
  const { link } = await newestLetterTo(ownerPage, person.email, "reset-password");
  const scanner = await newVisitor();
  for (const visitor of [scanner, scanner, page]) {
    await visitor.goto(link);
    await expect(formButton(visitor, t("reset.new.submit"))).toBeVisible();
  }
  await request.head(link);

  await page.getByLabel(t("fields.newPassword")).fill("short");
  await formButton(page, t("reset.new.submit")).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(t("errors.PASSWORD_TOO_SHORT"));
  await page.getByLabel(t("fields.newPassword")).fill(NEW_PASSWORD);
  await formButton(page, t("reset.new.submit")).click();

  await expect(page.getByRole("status")).toContainText(t("login.passwordChanged"));
  await expect(page.getByLabel(t("fields.email"))).toHaveValue(person.email);
  await page.getByLabel(t("fields.password")).fill(NEW_PASSWORD);
  await formButton(page, t("login.submit")).click();
  await expectSignedIn(page);
  await elsewhere.goto("/");
  await expectSignedOut(elsewhere);
  expect((await newestLetterTo(ownerPage, person.email, "password-changed")).text).toContain("/reset-password");

  await scanner.getByLabel(t("fields.newPassword")).fill("the scanner's password");
  await formButton(scanner, t("reset.new.submit")).click();
  // Without JavaScript the answer is the page once more, which by now knows that the link is dead.
  const [inForm, onPage] = [scanner.getByText(t("errors.INVALID_TOKEN")), scanner.getByRole("heading", { name: t("reset.dead.title") })];
  await expect(inForm.or(onPage).first()).toBeVisible();
  await scanner.goto(link);
  await expect(scanner.getByRole("heading", { level: 1 })).toHaveText(t("reset.dead.title"));
  await expect(formButton(scanner, t("reset.submit"))).toBeVisible();
});

test("whether an address has an account nobody learns from asking for a new password", async ({ page, request }) => {
  const shown: string[] = [];

  for (const { email } of [await signUpByApi(request), newPerson()]) {
    await page.goto("/reset-password");
    await page.getByLabel(t("fields.email")).fill(email);
    await formButton(page, t("reset.submit")).click();
    await expect(page.getByRole("status")).toBeVisible();
    shown.push(((await page.getByRole("main").textContent()) ?? "").replaceAll(email, "…"));
  }

  expect(shown[0]).toBe(shown[1]);
});

test("an address that is none is sent back to be mended", async ({ page }) => {
  await page.goto("/reset-password");
  await page.getByLabel(t("fields.email")).fill("not an address");

  await formButton(page, t("reset.submit")).click();

  await expect(page.getByRole("main").getByRole("alert")).toContainText(t("errors.EMAIL_INVALID"));
  await expect(page.getByLabel(t("fields.email"))).toHaveValue("not an address");
});

test("an address that was typed to sign in goes along to asking for a new password", async ({ page }) => {
  const { email } = newPerson();
  await page.goto("/login");
  await page.getByLabel(t("fields.email")).fill(email);
  await page.getByLabel(t("fields.password")).fill("not the right one");
  await formButton(page, t("login.submit")).click();
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();

  await page.getByRole("link", { name: t("login.forgot") }).click();

  await expect(page.getByLabel(t("fields.email"))).toHaveValue(email);
});

test("it goes along before it was ever sent", WITH_JAVASCRIPT, async ({ page }) => {
  const { email } = newPerson();
  await page.goto("/login");
  await page.getByLabel(t("fields.email")).fill(email);

  await page.getByRole("link", { name: t("login.forgot") }).click();

  await expect(page).toHaveURL(/\/reset-password/);
  await expect(page.getByLabel(t("fields.email"))).toHaveValue(email);
});

test("a password is shown to who types it, as long as they want", WITH_JAVASCRIPT, async ({ page }) => {
  await page.goto("/login");
  const field = page.getByLabel(t("fields.password"));
  const show = page.getByRole("button", { name: t("fields.showPassword") });
  await field.fill("typed blindly");
  await expect(field).toHaveAttribute("type", "password");

  await show.click();

  await expect(field).toHaveAttribute("type", "text");
  await expect(show).toHaveAttribute("aria-pressed", "true");
  await show.click();
  await expect(field).toHaveAttribute("type", "password");
  await expect(field).toHaveValue("typed blindly");
});

test("where the site cannot send mail, the page says who can help", async ({ newVisitor, startOwnServer }) => {
  const mailing = await startOwnServer();
  const { email, password } = newPerson();
  const response = await fetch(`${mailing.url}/api/v1/auth/setup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password, siteTitle: "Nimbus" }),
  });
  expect(response.status).toBe(201);
  await mailing.stop();
  const server = await startOwnServer({ MAIL: "none" }, mailing);
  const page = await newVisitor({ url: server.url });

  await page.goto("/login");
  await page.getByRole("link", { name: t("login.forgot") }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("reset.noMail.title"));
  const ownersWay = page.getByText("npm run owner:reset-password", { exact: true });
  await expect(ownersWay).toBeVisible();
  await expect(page.getByLabel(t("fields.email"))).toHaveCount(0);

  await page.goto("/reset-password?token=x");
  await expect(page.getByText(t("reset.dead.noMail"))).toBeVisible();
  await expect(ownersWay).toBeVisible();
  await expect(page.getByLabel(t("fields.email"))).toHaveCount(0);
});
