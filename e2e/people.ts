import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { t } from "./words.ts";

/** Somebody with an account. */
export type Person = { email: string; password: string };

/** A name or an address that no other test uses. */
export function unique(prefix: string): string {
  return `${prefix}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Somebody who has no account yet. */
export function newPerson(): Person {
  return { email: `${unique("person")}@example.com`, password: "a long enough password" };
}

/** An account made as a program makes one. */
export async function signUpByApi(request: APIRequestContext): Promise<Person & { authToken: string; userId: string; name: string }> {
  const person = newPerson();
  const response = await request.post("/api/v1/auth/signup", { data: person });
  expect(response.status()).toBe(201);
  const { user } = await response.json();
  return { ...person, authToken: user.authToken, userId: user.userId, name: user.name };
}

/** Signs in, beginning at the sign-in page's address. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await page.goto("/login");
  await signInHere(page, person);
}

/** Fills the form on the sign-in page, where `page` is or is about to be, and sends it. */
export async function signInHere(page: Page, { email, password }: Person): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("login.title"));
  await page.getByLabel(t("fields.email")).fill(email);
  await page.getByLabel(t("fields.password")).fill(password);
  await formButton(page, t("login.submit")).click();
  await expectSignedIn(page);
}

/** Expects the header of a page to be that of somebody who is signed in. */
export async function expectSignedIn(page: Page): Promise<void> {
  await expect(menuCalled(page, t("site.accountMenu"))).toBeVisible();
}

/** Expects the header of a page to offer to sign in. */
export async function expectSignedOut(page: Page): Promise<void> {
  await expect(page.getByRole("navigation", { name: t("site.navigation") }).getByRole("link", { name: t("site.signIn") })).toBeVisible();
  await expect(menuCalled(page, t("site.accountMenu"))).toHaveCount(0);
}

/** Signs out by the menu in the header. */
export async function signOut(page: Page): Promise<void> {
  await menuCalled(page, t("site.accountMenu")).click();
  await page.getByRole("button", { name: t("site.signOut") }).click();
}

/** What opens the menu of this name. */
export function menuCalled(page: Page, name: string) {
  return page.locator("summary").filter({ hasText: name });
}

/** A button of the page's own forms, not one of its header. */
export function formButton(page: Page, name: string) {
  return page.getByRole("main").getByRole("button", { name, exact: true });
}
