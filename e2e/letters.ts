import { expect, type Page } from "@playwright/test";
import type { LetterName } from "#emails/render";
import { plain, t } from "./words.ts";

const LOOK_AGAIN_MS = 1000;

/** The newest letter to `email`, which is the one called so, as the owner reads it once the outbox has it for good. Leaves `ownerPage` on the letter's page. */
export async function newestLetterTo(ownerPage: Page, email: string, letter: LetterName = "confirm-address"): Promise<{ text: string; link: string }> {
  const named = ownerPage.getByRole("link", { name: t(`outbox.letters.${letter}`) });
  const rows = ownerPage
    .getByRole("main")
    .getByRole("listitem")
    .filter({ hasText: plain("outbox.to", { address: email }) });
  const row = rows.filter({ has: named }).first();
  // Some letters are written once the answer is out, for it to be the same for everybody; and each is queued first.
  await expect(async () => {
    await ownerPage.goto("/dashboard/outbox");
    await expect(row).toContainText(t("outbox.status.KEPT"), { timeout: LOOK_AGAIN_MS });
  }).toPass();
  await row.getByRole("link").first().click();
  await expect(ownerPage.getByRole("definition").first()).toHaveText(email);
  const text =
    (await ownerPage
      .getByRole("region", { name: t("outbox.asText") })
      .locator("pre")
      .textContent()) ?? "";
  const [link = ""] = /http\S+(?:token=[\w-]+|reset-password|\/me\b)/.exec(text) ?? [];
  expect(link).not.toBe("");
  return { text, link };
}
