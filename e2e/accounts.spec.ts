import { devices, type Page } from "@playwright/test";
import { reportBar } from "#lib/testing/bars";
import { ELSEWHERE } from "./elsewhere.ts";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { newestLetterTo } from "./letters.ts";
import { expectSignedIn, expectSignedOut, formButton, newPerson, type Person, signIn, signInHere, signOut, signUpByApi } from "./people.ts";
import { plain, t } from "./words.ts";

async function sendSignUp(page: Page, { name, email, password }: Person & { name: string }): Promise<void> {
  await page.getByLabel(t("fields.nameOptional")).fill(name);
  await page.getByLabel(t("fields.email")).fill(email);
  await page.getByLabel(t("fields.password")).fill(password);
  await formButton(page, t("signup.submit")).click();
}

test("a person signs up, is signed in, and confirms the address with the button behind the letter's link", async ({ page, ownerPage, newVisitor, request }) => {
  const person = { ...newPerson(), name: "Åsa Ekström" };
  await page.goto("/");
  await page
    .getByRole("banner")
    .getByRole("link", { name: t("site.signUp") })
    .click();

  await sendSignUp(page, { ...person, password: "short" });
  await expect(page.getByRole("main").getByRole("alert")).toContainText(t("errors.PASSWORD_TOO_SHORT"));
  await expect(page.getByLabel(t("fields.nameOptional"))).toHaveValue(person.name);
  await expect(page.getByLabel(t("fields.email"))).toHaveValue(person.email);
  await sendSignUp(page, person);
  await expectSignedIn(page);
  await expect(page).toHaveURL("/?notice=signed-up");
  const said = page.getByRole("status").filter({ hasText: t("signup.done") });
  await expect(said).toContainText(plain("confirmingEmail.kept", { email: person.email }));
  await expect(said.getByRole("link", { name: t("signup.howToConfirm") })).toHaveAttribute("href", "/confirm-address");
  await expect(page.locator("[data-banner]")).toBeHidden();
  await expect(page.getByRole("main")).toContainText(t.markup("site.unconfirmed", { email: () => person.email, link: (text) => text }));

  const { link } = await newestLetterTo(ownerPage, person.email);
  await expect(ownerPage.getByRole("region", { name: t("outbox.passOn.title") })).toContainText(link);
  const scanner = await newVisitor();
  // The owner, too, is told whose address it is.
  for (const visitor of [scanner, scanner, ownerPage, page]) {
    await visitor.goto(link);
    await expect(visitor.getByRole("main")).toContainText(t.markup("confirm.text", { email: () => person.email }));
    await expect(formButton(visitor, t("confirm.submit"))).toBeVisible();
  }
  await request.head(link);
  await expect(page.getByRole("main")).toContainText(person.email);

  await formButton(page, t("confirm.submit")).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("confirm.done.title"));
  await expect(page.getByRole("main")).not.toContainText(person.email);
  await page.goto("/?notice=signed-up");
  await expectSignedIn(page);
  await expect(said).toHaveCount(0);

  // Opened before the link was used, and pressed after: it says so, with JavaScript in the form.
  await formButton(scanner, t("confirm.submit")).click();
  const dead = scanner.getByRole("heading", { name: t("confirm.dead.title") });
  await expect(scanner.getByText(t("errors.INVALID_TOKEN")).or(dead).first()).toBeVisible();
  await scanner.goto(link);
  await expect(dead).toBeVisible();
  await expect(formButton(scanner, t("confirm.submit"))).toHaveCount(0);
  await expect(scanner.getByRole("link", { name: t("confirm.signInForLink") })).toBeVisible();
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("confirm.dead.ownTitle"));
  await expect(formButton(page, t("confirm.submit"))).toHaveCount(0);
});

test("who signs up on the way to a page is told there that the account was created, also where it is closed to them", async ({ newVisitor }) => {
  for (const [next, address] of [
    ["/me?x=1#email", /\/me\?x=1&notice=signed-up(#email)?$/],
    ["/dashboard/boards", /\/dashboard\/boards\?notice=signed-up$/],
    ["https://evil.example", /^http:[^?]*\/\?notice=signed-up$/],
  ] as const) {
    const page = await newVisitor();
    await page.goto(`/signup?next=${encodeURIComponent(next)}`);
    await sendSignUp(page, { ...newPerson(), name: "" });

    await expect(page).toHaveURL(address);
    await expect(page.getByRole("status").filter({ hasText: t("signup.done") })).toBeVisible();
    await page.goto("/");
    await expectSignedIn(page);
    await expect(page.getByText(t("signup.done"))).toHaveCount(0);
    await expect(page.locator("[data-banner]")).toBeVisible();
  }
});

test("who lost the letter asks for a new one, and only its link works", async ({ page, ownerPage, request }) => {
  const person = await signUpByApi(request);
  const first = await newestLetterTo(ownerPage, person.email);
  await page.goto("/confirm-address");
  await page.getByRole("link", { name: t("confirm.signInForLink") }).click();
  await signInHere(page, person);
  await expect(page).toHaveURL("/confirm-address");

  await formButton(page, t("confirm.sendAgain")).click();

  await expect(page.getByRole("status").filter({ hasText: t("confirm.kept.sent") })).toBeVisible();
  const second = await newestLetterTo(ownerPage, person.email);
  expect(second.link).not.toBe(first.link);
  await page.goto(first.link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("confirm.dead.title"));
  await expect(formButton(page, t("confirm.sendAgain"))).toBeVisible();
  await page.goto(second.link);
  await formButton(page, t("confirm.submit")).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("confirm.done.title"));
});

test("who signed up through the API signs in through the page", async ({ page, request }) => {
  const person = await signUpByApi(request);

  await signIn(page, { ...person, email: ` ${person.email.toUpperCase()} ` });

  await expect(page).toHaveURL("/");
});

test("a wrong password and an unknown address are told apart by nobody", async ({ page, request }) => {
  const person = await signUpByApi(request);
  await page.goto("/login?next=%2Fconfirm-address");
  const tries = [{ ...person, password: "not the right one" }, newPerson()];

  for (const { email, password } of tries) {
    await page.getByLabel(t("fields.email")).fill(email);
    await page.getByLabel(t("fields.password")).fill(password);
    await formButton(page, t("login.submit")).click();
    await expect(page.getByRole("main").getByRole("alert")).toHaveText(t("errors.INVALID_CREDENTIALS"));
    await expect(page.getByLabel(t("fields.email"))).toHaveValue(email);
    expect(await page.content()).not.toContain(password);
  }

  await signInHere(page, person);
  await expect(page).toHaveURL("/confirm-address");
});

test("who has an account already is led from signing up to signing in, with the address filled in", async ({ page, request }) => {
  const person = await signUpByApi(request);
  await page.goto("/signup?next=%2Fconfirm-address");

  await sendSignUp(page, { ...person, name: "" });
  await page.getByRole("link", { name: t("signup.signInInstead") }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("login.title"));
  await expect(page.getByLabel(t("fields.email"))).toHaveValue(person.email);
  await signInHere(page, person);
  await expect(page).toHaveURL("/confirm-address");
});

test("after signing in nobody is led to another site", async ({ page, request }) => {
  const person = await signUpByApi(request);

  for (const next of ["//evil.example", "/\\evil.example", "https://evil.example/", "/boards?created=asc"]) {
    await page.context().clearCookies();
    await page.goto(`/login?next=${encodeURIComponent(next)}`);
    await signInHere(page, person);
    await expect(page, next).toHaveURL("/");
  }
});

test("Z11: no next= leads who is signed in to another site", WITH_JAVASCRIPT, async ({ ownerPage, site }) => {
  const reached: string[] = [];

  for (const [index, next] of ELSEWHERE.entries()) {
    // Both pages ask the same function.
    await ownerPage.goto(`${index % 5 === 0 ? "/signup" : "/login"}?next=${encodeURIComponent(next)}`);
    reached.push(new URL(ownerPage.url()).origin);
  }

  const kept = reached.filter((origin) => origin === site.url).length;
  reportBar({
    bar: "Z11",
    measure: "next= payloads that stay on the site",
    figure: `${kept}/${reached.length}`,
    ok: kept === reached.length,
  });
  expect(kept).toBe(reached.length);
});

test("A9: signing out ends the session, and its cookie is a stranger's from then on", async ({ page, request }) => {
  await signIn(page, await signUpByApi(request));
  const cookies = await page.context().cookies();
  const ofSession = { name: "heard.session", httpOnly: true, sameSite: "Lax" };
  // By the other one the browser is known again when somebody guesses at the password; it signs nobody in.
  const ofBrowser = { name: "heard.device", httpOnly: true, sameSite: "Lax" };
  expect(cookies.sort((a, b) => b.name.localeCompare(a.name))).toEqual([expect.objectContaining(ofSession), expect.objectContaining(ofBrowser)]);

  await page.goto("/nothing/here");
  await expect(page.getByText(t("problems.notFound.text"), { exact: true })).toBeVisible();
  await signOut(page);

  await expectSignedOut(page);
  await expect(page.getByRole("status").filter({ hasText: t("home.signedOut") })).toBeVisible();
  expect(await page.context().cookies()).toEqual([expect.objectContaining(ofBrowser)]);
  await page.goto("/nothing/here");
  await expect(page.getByText(t("problems.notFound.textSignedOut"))).toBeVisible();
  await page.context().addCookies(cookies);
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login\?next=%2Fdashboard$/);
  await page.goto("/");
  await expectSignedOut(page);
});

test("A9: a session that its owner ends elsewhere is over in the browser and in the API, on the next request", async ({ page, request, site }) => {
  const person = await signUpByApi(request);
  await signIn(page, person);
  const headers = { origin: site.url, "sec-fetch-site": "same-origin" };

  const { sessions } = await (await page.request.get("/api/v1/users/me/sessions")).json();
  const [ofProgram] = sessions.filter(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
  expect((await page.request.delete(`/api/v1/users/me/sessions/${ofProgram.sessionId}`, { headers })).status()).toBe(204);
  const asProgram = await request.get("/api/v1/users/me", { headers: { authorization: `Bearer ${person.authToken}` } });
  expect([asProgram.status(), (await asProgram.json()).code]).toEqual([401, "INVALID_TOKEN"]);

  const login = await (await request.post("/api/v1/auth/login", { data: person })).json();
  await request.delete("/api/v1/users/me/sessions", { headers: { authorization: `Bearer ${login.user.authToken}` } });
  await page.goto("/");
  await expectSignedOut(page);
});

test("a browser that keeps no cookies is told so before it tries to sign in", WITH_JAVASCRIPT, async ({ page }) => {
  await page.goto("/login");
  await expect(formButton(page, t("login.submit"))).toBeVisible();
  await expect(page.getByText(t("login.cookiesBlocked"))).toHaveCount(0);

  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "cookieEnabled", { get: () => false }));
  await page.reload();

  await expect(page.getByText(t("login.cookiesBlocked"))).toBeVisible();
});

test("a new password is judged while it is typed", WITH_JAVASCRIPT, async ({ page }) => {
  await page.goto("/signup");
  const field = page.getByLabel(t("fields.password"));

  for (const [password, strength] of [
    ["short", "short"],
    ["aaaaaaaaaaaa", "weak"],
    ["Password123", "weak"],
    ["plum-tractor", "fair"],
    ["plum tractor envelope", "strong"],
  ] as const) {
    await field.fill(password);
    await expect(page.getByText(t(`fields.strength.${strength}`), { exact: true })).toBeVisible();
  }
});

test(
  "signing in begins with the cursor in the first field that is empty, but for phones, whose keyboard would hide the page",
  WITH_JAVASCRIPT,
  async ({ page, browser, site }) => {
    await page.goto("/login?email=ada%40example.com");
    await expect(page.getByLabel(t("fields.password"), { exact: true })).toBeFocused();

    await page.goto("/");
    await page
      .getByRole("banner")
      .getByRole("link", { name: t("site.signIn") })
      .click();
    await expect(page.getByLabel(t("fields.email"))).toBeFocused();

    const phone = await browser.newContext({ ...devices["Pixel 7"], baseURL: site.url });
    const screen = await phone.newPage();
    await screen.goto("/login", { waitUntil: "networkidle" });
    await expect(screen.locator("body")).toBeFocused();
    await phone.close();
  },
);
