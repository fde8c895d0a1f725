import { expect, test } from "./fixtures.ts";
import { newestLetterTo } from "./letters.ts";
import { formButton, newPerson, signUpByApi, unique } from "./people.ts";
import { t } from "./words.ts";

test("a new title and description stand everywhere at once", async ({ ownerPage, page, request }) => {
  const title = unique("Tëst & <i>title</i>");
  await ownerPage.goto("/dashboard/settings");
  await ownerPage.getByLabel(t("fields.title")).fill(title);
  await ownerPage.getByLabel(t("fields.description")).fill("قل لنا ما تحتاج إليه");

  await formButton(ownerPage, t("settings.save")).click();

  await expect(ownerPage.getByRole("status")).toHaveText(t("settings.notices.saved"));
  await expect(ownerPage.getByRole("banner").getByRole("link", { name: title })).toBeVisible();
  await page.goto("/");
  await expect(page).toHaveTitle(title);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(page.getByText("قل لنا ما تحتاج إليه")).toHaveAttribute("dir", "auto");
  await page.goto("/login");
  await expect(page).toHaveTitle(t("site.pageTitle", { page: t("login.title"), site: title }));
  await expect(page.getByRole("main")).toContainText(title);
  expect((await (await request.get("/api/v1/settings/site")).json()).settings.title).toBe(title);
  const { email } = await signUpByApi(request);
  expect((await newestLetterTo(ownerPage, email)).text).toContain(title);
});

test("an empty title is refused, and the title stays", async ({ ownerPage, request }) => {
  const before = await (await request.get("/api/v1/settings/site")).json();
  await ownerPage.goto("/dashboard/settings");
  await ownerPage.getByLabel(t("fields.title")).fill(" ");
  await formButton(ownerPage, t("settings.save")).click();

  await expect(ownerPage.getByLabel(t("fields.title"))).toHaveAttribute("aria-invalid", "true");
  expect(await (await request.get("/api/v1/settings/site")).json()).toEqual(before);
});

test("closed sign-up is said on its page, offered nowhere, and refused", async ({ ownerPage, page, request }) => {
  const setSignup = async (isOpen: boolean) => {
    await ownerPage.goto("/dashboard/settings");
    await ownerPage.getByLabel(t("fields.allowSignup")).setChecked(isOpen);
    await formButton(ownerPage, t("settings.save")).click();
    await expect(ownerPage.getByRole("status")).toHaveText(t("settings.notices.saved"));
  };
  await page.goto("/signup");
  const person = newPerson();
  await page.getByLabel(t("fields.email")).fill(person.email);
  await page.getByLabel(t("fields.password")).fill(person.password);

  await setSignup(false);

  await formButton(page, t("signup.submit")).click();
  await expect(page.getByText(t("errors.SIGNUP_NOT_ALLOWED")).or(page.getByText(t("signup.closed.title")))).toBeVisible();
  await page.goto("/signup");
  await expect(page.getByText(t("signup.closed.title"))).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await page.goto("/login");
  await expect(page.getByRole("link", { name: t("site.signUp") })).toHaveCount(0);
  const answer = await request.post("/api/v1/auth/signup", { data: person });
  expect([answer.status(), (await answer.json()).code]).toEqual([403, "SIGNUP_NOT_ALLOWED"]);

  await setSignup(true);
  await page.goto("/");
  await expect(page.getByRole("link", { name: t("site.signUp") })).toBeVisible();
});

test("the outbox lists the letters, and shows one as people get it", async ({ ownerPage, request, site }) => {
  const { email } = await signUpByApi(request);

  const { link } = await newestLetterTo(ownerPage, email);

  expect(new URL(link).origin).toBe(site.url);
  const frame = ownerPage.getByTitle(t("outbox.asHtml"));
  const html = await (await ownerPage.request.get((await frame.getAttribute("src")) ?? "")).text();
  expect(html).not.toMatch(/<script|https?:\/\/(?!127\.0\.0\.1|www\.w3\.org)/);
  const letter = frame.contentFrame();
  await expect(letter.getByRole("link", { name: t("emails.confirmAddress.button") })).toHaveAttribute("href", link);
  await expect(letter.getByRole("heading", { name: t("emails.confirmAddress.heading") })).toBeVisible();
  await expect(ownerPage.getByRole("definition").filter({ hasText: t("outbox.status.SENT") })).toBeVisible();
});
