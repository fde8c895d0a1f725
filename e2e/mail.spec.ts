import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { formButton, signIn } from "./people.ts";
import { OWNER } from "./site.ts";
import { plain, t } from "./words.ts";

const email = "waiting@example.com";
const MEMBER = { email, password: OWNER.password };
/** The letters of a list; the filters above it are items, too. */
const letters = (page: Page) => page.getByRole("listitem").filter({ has: page.getByRole("heading") });
const outboxOf = (address: string) => `/dashboard/outbox?${new URLSearchParams({ q: address })}`;

test("what became of an email is told as it was, however mail is set up later", async ({ startOwnServer, newVisitor, request, smtp }) => {
  const keeping = await startOwnServer({ MAIL: "outbox" });
  await request.post(`${keeping.url}/api/v1/auth/setup`, { data: OWNER });
  await request.post(`${keeping.url}/api/v1/auth/signup`, { data: MEMBER });
  let page = await newVisitor({ url: keeping.url });
  await signIn(page, OWNER);
  await expect(async () => {
    await page.goto(outboxOf(email));
    await expect(letters(page)).toContainText(t("outbox.status.KEPT"), { timeout: 1000 });
  }).toPass();

  // Turned on, it sends what is written from now on.
  await keeping.stop();
  const sending = await startOwnServer({ MAIL: "smtp", SMTP_URL: smtp.url }, keeping);
  page = await newVisitor({ url: sending.url });
  await signIn(page, OWNER);
  await page.goto(outboxOf(email));
  await expect(letters(page)).toContainText(t("outbox.status.KEPT"));
  await letters(page).getByRole("link").click();
  await expect(page.getByRole("definition").filter({ hasText: t("outbox.status.KEPT") })).toBeVisible();
  await expect(page.getByRole("region", { name: t("outbox.passOn.title") })).toContainText(`${keeping.url}/confirm-address?token=`);

  await page.goto("/confirm-address");
  await expect(page.getByText(plain("confirmingEmail.inOutbox", { email: OWNER.email, link: "outbox" }))).toBeVisible();

  const member = await newVisitor({ url: sending.url });
  await signIn(member, MEMBER);
  await member.goto("/confirm-address");
  await expect(member.getByText(plain("confirmingEmail.none", { email }))).toBeVisible();
  await formButton(member, t("confirm.sendAgain")).click();
  await expect.poll(() => smtp.received.flatMap(({ to }) => to)).toContain(email);
  await expect(async () => {
    await member.goto("/confirm-address");
    await expect(member.getByText(plain("confirmingEmail.sent", { email }))).toBeVisible({ timeout: 1000 });
  }).toPass();

  // And back: what was sent went out.
  await sending.stop();
  const keepingAgain = await startOwnServer({ MAIL: "outbox" }, sending);
  page = await newVisitor({ url: keepingAgain.url });
  await signIn(page, OWNER);
  await page.goto(outboxOf(email));
  const confirming = letters(page).filter({ hasText: t("outbox.letters.confirm-address") });
  await expect(confirming.nth(0)).toContainText(t("outbox.status.SENT"));
  await expect(confirming.nth(1)).toContainText(t("outbox.status.KEPT"));
  await page.goto("/dashboard");
  await page.getByRole("link", { name: t("dashboard.activity.lettersKept"), exact: true }).click();
  await expect(letters(page).first()).toContainText(t("outbox.status.KEPT"));
  await page.goto(`${outboxOf(OWNER.email)}&status=FAILED`);
  await expect(page.getByText(t("outbox.empty.found.FAILED", { q: OWNER.email }))).toBeVisible();
  await page.goto("/dashboard/outbox?status=KEPT&q=nobody");
  await expect(page.getByText(t("outbox.empty.foundTitle", { q: "nobody" }))).toBeVisible();
});

test("whose email did not go out is not told that it was sent", async ({ startOwnServer, newVisitor, request, smtp }) => {
  smtp.refuseRecipientsWith = "550 5.1.1 No such user";
  const sending = await startOwnServer({ MAIL: "smtp", SMTP_URL: smtp.url });
  await request.post(`${sending.url}/api/v1/auth/setup`, { data: OWNER });
  await request.post(`${sending.url}/api/v1/auth/signup`, { data: MEMBER });
  const page = await newVisitor({ url: sending.url });
  await signIn(page, MEMBER);

  await expect(async () => {
    await page.goto("/confirm-address");
    await expect(page.getByText(plain("confirmingEmail.failed", { email }))).toBeVisible({ timeout: 1000 });
  }).toPass();
  await page.goto("/me");
  await expect(page.getByText(plain("confirmingEmail.failed", { email }))).toBeVisible();
  smtp.refuseRecipientsWith = "451 4.3.0 Try again later";
  await page.goto("/confirm-address");
  await formButton(page, t("confirm.sendAgain")).click();
  await expect(page.getByText(plain("confirmingEmail.queued", { email }))).toBeVisible();

  // Nothing is asked for that cannot be done.
  await sending.stop();
  const silent = await startOwnServer({ MAIL: "none" }, sending);
  const later = await newVisitor({ url: silent.url });
  await signIn(later, MEMBER);
  for (const path of ["/confirm-address", "/me", "/confirm-address?token=none"]) {
    await later.goto(path);
    await expect(formButton(later, t("confirm.sendAgain"))).toHaveCount(0);
    await expect(formButton(later, t("me.email.sendAgain"))).toHaveCount(0);
  }
  await later.goto("/confirm-address?notice=sent");
  await expect(later.getByText(t("confirm.sent"))).toHaveCount(0);
  await expect(later.getByText(plain("confirmingEmail.noMail", { email }))).toBeVisible();
});

test("while letters are refused, the mail page does not say that all is well", async ({ startOwnServer, newVisitor, request, smtp }) => {
  smtp.refuseRecipientsWith = "550 5.1.1 No such user";
  const { url } = await startOwnServer({ MAIL: "smtp", SMTP_URL: smtp.url });
  await request.post(`${url}/api/v1/auth/setup`, { data: OWNER });
  const page = await newVisitor({ url });
  await signIn(page, OWNER);

  await expect(async () => {
    await page.goto("/dashboard/settings/mail");
    await expect(page.getByText(t("settings.mail.badge.failing"))).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(page.getByText(t("settings.mail.badge.on"), { exact: true })).toHaveCount(0);
  await page.getByRole("link", { name: /could not be sent/ }).click();
  await expect(page).toHaveURL("/dashboard/outbox?status=FAILED");
});
