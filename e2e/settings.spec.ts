import { accentTones } from "#lib/accent";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { newestLetterTo } from "./letters.ts";
import { formButton, newPerson, signIn, signUpByApi, unique } from "./people.ts";
import { OWNER } from "./site.ts";
import { plain, t } from "./words.ts";

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

test("the site's address is shown with how to change it", async ({ ownerPage, site }) => {
  await ownerPage.goto("/dashboard/settings");

  await expect(ownerPage.getByRole("main")).toContainText(site.url);
  await expect(ownerPage.getByText(plain("settings.siteUrlHint", { code: "SITE_URL" }))).toBeVisible();
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
    await ownerPage.goto("/dashboard/settings/access");
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
  await expect(page.getByRole("banner").getByRole("link", { name: t("site.signUp") })).toBeVisible();
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
  await expect(ownerPage.getByRole("definition").filter({ hasText: t("outbox.status.KEPT") })).toBeVisible();
});

test("every section has an address and a title of its own, and the way to the others", async ({ ownerPage }) => {
  const titles = new Set<string>();
  for (const [path, section] of [
    ["", "general"],
    ["/branding", "branding"],
    ["/access", "access"],
    ["/mail", "mail"],
    ["/data", "data"],
    ["/about", "about"],
  ] as const) {
    await ownerPage.goto(`/dashboard/settings${path}`);
    const sections = ownerPage.getByRole("main").getByRole("navigation", { name: t("settings.sections.label"), exact: true });

    await expect(sections.getByRole("link", { name: t(`settings.sections.${section}`), exact: true })).toHaveAttribute("aria-current", "page");
    await expect(ownerPage.getByRole("heading", { level: 1 })).toHaveCount(1);
    titles.add(await ownerPage.title());
  }
  expect(titles.size).toBe(6);
});

test("time zone and legal links are kept; an address that is none is said at its field", async ({ ownerPage, page }) => {
  await ownerPage.goto("/dashboard/settings");
  await ownerPage.getByLabel(t("fields.timeZone")).selectOption("Europe/Berlin");
  await ownerPage.getByLabel(t("fields.privacyUrl")).fill("javascript:alert(1)");
  await formButton(ownerPage, t("settings.save")).click();
  await expect(ownerPage.getByLabel(t("fields.privacyUrl"))).toHaveAttribute("aria-invalid", "true");
  await expect(ownerPage.getByLabel(t("fields.timeZone"))).toHaveValue("Europe/Berlin");

  await ownerPage.getByLabel(t("fields.privacyUrl")).fill("https://example.com/privacy");
  await formButton(ownerPage, t("settings.save")).click();

  await expect(ownerPage.getByRole("status")).toHaveText(t("settings.notices.saved"));
  await expect(ownerPage.getByLabel(t("fields.timeZone"))).toHaveValue("Europe/Berlin");
  await page.goto("/");
  await expect(page.getByRole("link", { name: t("site.privacy") })).toHaveAttribute("href", "https://example.com/privacy");
  await ownerPage.goto("/dashboard/outbox");
  const time = ownerPage.getByRole("main").locator("time").first();
  const at = new Date((await time.getAttribute("datetime")) ?? "");
  await expect(time).toContainText(at.toLocaleString("en", { timeZone: "Europe/Berlin", hour: "numeric", minute: "2-digit", timeZoneName: "short" }));
});

test("a test email lies in the outbox, and that is said", async ({ ownerPage }) => {
  await ownerPage.goto("/dashboard/settings/mail");
  await expect(ownerPage.getByText(plain("settings.mail.test.kept", { address: OWNER.email }))).toBeVisible();
  await formButton(ownerPage, t("settings.mail.test.submitKept")).click();

  await expect(ownerPage.getByRole("status")).toHaveText(t("settings.notices.outbox"));
  await ownerPage.goto("/dashboard/outbox");
  await expect(ownerPage.getByRole("link", { name: t("outbox.letters.test") }).first()).toBeVisible();
});

test("a mail server's refusal is shown in its own words", async ({ startOwnServer, newVisitor, request, smtp }) => {
  smtp.refuseRecipientsWith = "550 5.7.1 We do not relay";
  const { url } = await startOwnServer({ MAIL: "smtp", SMTP_URL: smtp.url });
  await request.post(`${url}/api/v1/auth/setup`, { data: OWNER });
  const page = await newVisitor({ url });
  await signIn(page, OWNER);
  await page.goto("/dashboard/settings/mail");

  await formButton(page, t("settings.mail.test.submit")).click();

  await expect(page.getByRole("main").getByRole("alert")).toContainText("We do not relay");
});

test("where the data are, and what runs, is said", async ({ ownerPage, site }) => {
  await ownerPage.goto("/dashboard/settings/data");
  if (!site.databaseUrl) await expect(ownerPage.getByRole("main")).toContainText(site.dataDir);
  await expect(ownerPage.getByRole("heading", { name: t("settings.data.backup.title") })).toBeVisible();
  await expect(ownerPage.getByRole("main")).toContainText("npm run backup");
  if (!site.databaseUrl) await expect(ownerPage.getByRole("main")).toContainText("npm run move-to-postgres");

  await ownerPage.goto("/dashboard/settings/about");
  await expect(ownerPage.getByRole("link", { name: t("settings.about.api") })).toHaveAttribute("href", "/api/v1/docs");
});

test("the settings are for owners alone", async ({ newVisitor, request }) => {
  const person = await signUpByApi(request);
  const page = await newVisitor();
  await page.goto("/dashboard/settings/data");
  await expect(page).toHaveURL(/\/login\?next=/);
  await signIn(page, person);

  for (const section of ["branding", "access", "mail", "data", "about"]) {
    const response = await page.goto(`/dashboard/settings/${section}`);
    expect(response?.status()).toBe(403);
  }
});

test.describe("with JavaScript", WITH_JAVASCRIPT, () => {
  test("a color's contrast is reckoned with every choice, as the browser draws it", async ({ ownerPage: page }) => {
    await page.goto("/dashboard/settings/branding");
    await page.getByLabel(t("fields.accentColor")).fill("#ffee00");

    const rows = page.getByRole("listitem").filter({ has: page.getByText(t("settings.contrast.given")) });
    await expect(rows).toContainText(t("settings.contrast.faint"));
    // The color takes a moment to change.
    await expect.poll(() => page.evaluate(drawnAccent)).toBe(accentTones("ffee00").button);
  });

  test("a color's code can be read, and typed with or without its #; what is no code is refused and kept", async ({ ownerPage }) => {
    await ownerPage.goto("/dashboard/settings/branding");
    const code = ownerPage.getByLabel(t("fields.colorCode"));
    const picker = ownerPage.getByLabel(t("fields.accentColor"));
    await expect(code).toHaveValue(await picker.inputValue());

    await picker.fill("#aa0055");
    await expect(code).toHaveValue("#aa0055");
    await code.fill("#00B020");
    await expect(picker).toHaveValue("#00b020");
    await code.fill(" b00020 ");
    await expect(picker).toHaveValue("#b00020");
    await code.fill("red");
    await formButton(ownerPage, t("settings.save")).click();
    await expect(code).toHaveAccessibleDescription(new RegExp(t("errors.problems.color", { label: t("fields.accentColor") })));
    await expect(code).toHaveValue("red");
    await code.fill("#b02");
    await expect(picker).toHaveValue("#bb0022");
    await formButton(ownerPage, t("settings.save")).click();
    await expect(ownerPage.getByRole("status")).toHaveText(t("settings.notices.saved"));
    await expect(code).toHaveValue("#bb0022");
  });

  test("changes that are not saved are asked about before they are left, and saved ones are not", async ({ ownerPage: page }) => {
    const questions: string[] = [];
    let stays = true;
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      return stays ? dialog.dismiss() : dialog.accept();
    });
    await page.goto("/dashboard/settings");
    await page.getByLabel(t("fields.description")).pressSequentially(" more");
    const toMail = page.getByRole("main").getByRole("link", { name: t("settings.sections.mail"), exact: true });

    await toMail.click();
    expect(questions).toEqual([t("settings.unsaved")]);
    await expect(page).toHaveURL(/\/settings$/);
    stays = false;
    await toMail.click();
    await expect(page).toHaveURL(/\/settings\/mail$/);

    await page.goto("/dashboard/settings");
    await page.getByLabel(t("fields.description")).fill("");
    await formButton(page, t("settings.save")).click();
    await expect(page.getByRole("status")).toHaveText(t("settings.notices.saved"));
    await toMail.click();
    await expect(page).toHaveURL(/\/settings\/mail$/);
    expect(questions).toHaveLength(2);
  });
});

/** Runs in the page: the color of the preview's button, as six hex digits. */
function drawnAccent(): string {
  const button = document.querySelector('[data-theme="dark"] .bg-accent') as HTMLElement;
  const canvas = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
  canvas.fillStyle = getComputedStyle(button).backgroundColor;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((part) => part.toString(16).padStart(2, "0")).join("");
}
