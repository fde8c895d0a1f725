import { expect, type Page } from "@playwright/test";
import { OWNER } from "../site.ts";

/** What somebody does on a page before it is looked at; its name says how the page then is. `covers`: something of it lies under what was opened, until that is closed. */
export type Deed = { name: string; covers?: boolean; on(page: Page): Promise<unknown> };

const OPENS_WITHIN_MS = 60_000;

export const SENT_BACK: Deed = { name: "sent back", on: sendAsItStands };
export const SIGN_IN_REFUSED: Deed = { name: "refused", on: signInWithWrongPassword };
export const LINK_ASKED_FOR: Deed = { name: "asked for", on: askForLink };
export const ACCOUNT_MENU: Deed = { name: "account menu", covers: true, on: (page) => page.locator("body > header summary").click() };
export const LANGUAGE_MENU: Deed = { name: "language menu", covers: true, on: (page) => page.locator("body > footer summary").click() };
export const FIRST_UNFOLDED: Deed = { name: "unfolded", covers: true, on: unfoldFirst };
export const KEYBOARD_HELP: Deed = { name: "keyboard help", covers: true, on: (page) => openByKey(page, "?") };
export const COMMAND_PALETTE: Deed = { name: "command palette", covers: true, on: (page) => openByKey(page, "ControlOrMeta+k") };

async function sendAsItStands(page: Page): Promise<void> {
  await send(page);
  await page.locator("main [role=alert]").waitFor();
}

async function signInWithWrongPassword(page: Page): Promise<void> {
  await page.locator("main [name=email]").fill(OWNER.email);
  await page.locator("main [name=password]").fill("not the right one");
  await send(page);
  await page.locator("main [role=alert]").waitFor();
}

async function askForLink(page: Page): Promise<void> {
  await page.locator("main [name=email]").fill(OWNER.email);
  await send(page);
  await page.locator("main [role=status]").waitFor();
}

/** By hand it could be unfolded only where it shows: the contents of the API's reference do on phones alone. */
async function unfoldFirst(page: Page): Promise<void> {
  await page
    .locator("main details")
    .first()
    .evaluate((details: HTMLDetailsElement) => {
      details.open = true;
    });
}

/** Sends the page's first form without asking the browser whether it is filled in. */
async function send(page: Page): Promise<void> {
  await page
    .locator("main form")
    .first()
    .evaluate((form: HTMLFormElement) => form.requestSubmit());
}

async function openByKey(page: Page, key: string): Promise<void> {
  // The page listens to keys only after a while.
  await expect(async () => {
    await page.keyboard.press(key);
    await expect(page.locator("dialog[open]")).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: OPENS_WITHIN_MS });
}
