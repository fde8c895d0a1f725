import sharp from "sharp";
import { expect, test } from "./fixtures.ts";
import { formButton } from "./people.ts";
import { t } from "./words.ts";

test("a new accent color is the site's at once, in the page that chose it and in the next", async ({ ownerPage, page }) => {
  const accentOf = (seen: typeof page) => seen.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--site-accent"));
  await ownerPage.goto("/dashboard/settings/branding");
  await ownerPage.getByLabel(t("fields.accentColor")).fill("#8a2be2");

  await formButton(ownerPage, t("settings.save")).click();

  await expect(ownerPage.getByRole("status")).toHaveText(t("settings.notices.saved"));
  await expect.poll(() => accentOf(ownerPage)).toBe("#8a2be2");
  await page.goto("/");
  expect(await accentOf(page)).toBe("#8a2be2");
});

test("a black accent's buttons stand out in the dark look, too", async ({ ownerPage }) => {
  await ownerPage.emulateMedia({ colorScheme: "dark" });
  await ownerPage.goto("/dashboard/settings/branding");
  await ownerPage.getByLabel(t("fields.accentColor")).fill("#000000");
  await formButton(ownerPage, t("settings.save")).click();
  await expect(ownerPage.getByRole("status")).toHaveText(t("settings.notices.saved"));

  const fill = () => formButton(ownerPage, t("settings.save")).evaluate((button) => getComputedStyle(button).backgroundColor);
  await expect.poll(fill).toBe("oklch(0.42 0 0)");
});

test("a logo is uploaded, stands in the header as wide as it is, and is removed", async ({ ownerPage }) => {
  const file = async (name: string, buffer: Buffer) =>
    ownerPage.getByLabel(t("fields.logo"), { exact: true }).setInputFiles({ name, mimeType: "image/png", buffer });
  const logo = ownerPage.getByRole("banner").locator('img[src^="/images/"]');
  await ownerPage.goto("/dashboard/settings/branding");
  await file("logo.svg", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"));
  await formButton(ownerPage, t("settings.save")).click();
  await expect(ownerPage.getByLabel(t("fields.logo"), { exact: true })).toHaveAttribute("aria-invalid", "true");

  const red = { create: { width: 800, height: 100, channels: 3, background: "#ff0000" } } as const;
  await file("logo.png", await sharp(red).png().toBuffer());
  await formButton(ownerPage, t("settings.save")).click();

  await expect(ownerPage.getByRole("status")).toHaveText(t("settings.notices.saved"));
  await expect.poll(() => logo.evaluate(({ clientWidth }) => clientWidth)).toBeGreaterThan(128);
  await ownerPage.emulateMedia({ colorScheme: "dark" });
  expect(await logo.evaluate((image) => getComputedStyle(image).backgroundColor)).toBe("rgb(250, 249, 247)");
  await ownerPage.emulateMedia({ colorScheme: null });
  const preview = ownerPage.getByRole("region", { name: t("settings.preview.title") });
  await expect(preview.locator('img[src^="/images/"]')).toHaveCount(2);
  const src = (await logo.getAttribute("src")) ?? "";
  const iconInTab = ownerPage.locator('link[rel="icon"]');
  const iconOnPhones = ownerPage.locator('link[rel="apple-touch-icon"]');
  await expect(iconInTab).toHaveAttribute("href", src);
  const withLogo = (await iconOnPhones.getAttribute("href")) ?? "";
  await ownerPage.getByLabel(t("settings.logo.remove")).check();
  await formButton(ownerPage, t("settings.save")).click();
  await expect(logo).toHaveCount(0);
  await expect(iconInTab).toHaveAttribute("href", "/icon.svg");
  await expect(iconOnPhones).not.toHaveAttribute("href", withLogo);
});

test("a logo that is too large is refused with a reason", async ({ ownerPage, javaScriptEnabled }) => {
  await ownerPage.goto("/dashboard/settings/branding");
  const huge = { name: "huge.png", mimeType: "image/png", buffer: Buffer.alloc(12_000_000) };
  await ownerPage.getByLabel(t("fields.logo"), { exact: true }).setInputFiles(huge);

  // With JavaScript the page says so at once; without, the front server refuses the form and leads back.
  if (javaScriptEnabled === false) await formButton(ownerPage, t("settings.save")).click();

  await expect(ownerPage.getByRole("main")).toContainText(t("errors.PAYLOAD_TOO_LARGE"));
});
