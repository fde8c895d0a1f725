import { expect, type Page } from "@playwright/test";
import type { Onlooker } from "#e2e/looks/pages";
import { OWNER, type TestSite } from "#e2e/site";
import { writeRows } from "#e2e/stored";
import { at, type State } from "./photographs.ts";

/** What somebody sees once they have done something on a page. */
export const STATES: Partial<Record<Onlooker, State[]>> = {
  visitor: [{ name: "visitor-login-refused", show: signInWithWrongPassword }],
  owner: [
    { name: "owner-account-menu", show: (page) => openMenu(page, "header") },
    { name: "owner-language-menu", show: (page) => openMenu(page, "footer") },
    { name: "owner-keyboard-help", show: (page) => openByKey(page, "?") },
    { name: "owner-command-palette", show: (page) => openByKey(page, "ControlOrMeta+k") },
  ],
};

async function signInWithWrongPassword(page: Page): Promise<void> {
  await page.goto("/login");
  await page.locator("main [name=email]").fill(OWNER.email);
  await page.locator("main [name=password]").fill("not the right one");
  await page.locator("main form").evaluate((form: HTMLFormElement) => form.requestSubmit());
  await page.locator("main [role=alert]").waitFor();
}

async function openMenu(page: Page, place: "header" | "footer"): Promise<void> {
  await page.goto("/dashboard");
  await page.locator(`body > ${place} summary`).click();
}

async function openByKey(page: Page, key: string): Promise<void> {
  await page.goto("/dashboard");
  // The page listens to keys only after a while.
  await expect(async () => {
    await page.keyboard.press(key);
    await expect(page.locator("dialog[open]")).toBeVisible({ timeout: 1000 });
  }).toPass();
}

/** Deletes the newest board; what the owner sees then. */
export async function deleteBoard(site: TestSite): Promise<State[]> {
  const { boards } = await (await fetch(`${site.url}/api/v1/boards?limit=1`)).json();
  const { boardId } = boards[0];
  await call(site, "DELETE", `/boards/${boardId}`);
  return [at("owner", `/dashboard/boards?notice=deleted&board=${boardId}`)];
}

/** Closes sign-up; what a visitor sees then. */
export async function closeSignup(site: TestSite): Promise<State[]> {
  await call(site, "PATCH", "/settings/site", { allowSignup: false });
  return [at("visitor closed", "/signup"), at("visitor closed", "/login")];
}

/** Makes the newest letter one that could not be sent, behind a server that is stopped; what the owner sees then. */
export async function failLetter(site: TestSite): Promise<State[]> {
  const refusal = "550 5.1.1 The address is not known here";
  const newest = `(SELECT "mailId" FROM "Mail" ORDER BY "createdAt" DESC, "mailId" DESC LIMIT 1)`;
  await writeRows(site, `UPDATE "Mail" SET "status" = 'FAILED', "attempts" = 8, "lastError" = '${refusal}' WHERE "mailId" = ${newest}`);
  return ["/dashboard", "/dashboard/outbox"].map((path) => at("owner failed letter", path));
}

async function call(site: TestSite, method: string, path: string, body?: object): Promise<void> {
  const headers = { authorization: `Bearer ${site.owner.authToken}`, "content-type": "application/json" };
  const response = await fetch(`${site.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
}
