import type { Page } from "@playwright/test";
import { formButton } from "./people.ts";
import { OWNER } from "./site.ts";
import { t } from "./words.ts";

export type Answers = { name?: string; email?: string; password?: string; siteTitle?: string; boardName?: string; setupToken?: string };

/** Answers that make a site. */
export const GOOD: Answers = {
  name: "Olive Ölander 🌱",
  email: OWNER.email,
  password: OWNER.password,
  siteTitle: "Ideas & wishes <b>",
  boardName: "Feature requests",
};

/** Fills what is asked of the owner and the site. */
export async function fillOwner(page: Page, answers: Omit<Answers, "boardName">): Promise<void> {
  for (const [name, value] of Object.entries(answers)) await page.getByLabel(t(`fields.${name as keyof typeof answers}`), { exact: true }).fill(value);
}

/** Fills what is given, from step to step where they come one after another. */
export async function fill(page: Page, { boardName, ...answers }: Answers): Promise<void> {
  await goOn(page);
  await fillOwner(page, answers);
  await goOn(page);
  if (boardName === undefined) return;
  await page.getByLabel(t("setup.templates.own.name")).check();
  await page.getByLabel(t("fields.boardName")).fill(boardName);
}

/** To the wizard's next step; it is all on one page without JavaScript, and after an error. */
export async function goOn(page: Page): Promise<void> {
  const next = formButton(page, t("setup.steps.next"));
  if (await next.isVisible()) await next.click();
}

/** Sends the wizard's form, all steps at once. */
export async function send(page: Page): Promise<void> {
  await formButton(page, t("setup.submit")).click();
}

/** To what the server says of the step with the owner: with JavaScript it is asked before the next one is shown. */
export async function hearOfOwner(page: Page): Promise<void> {
  const next = formButton(page, t("setup.steps.next"));
  await ((await next.isVisible()) ? next.click() : send(page));
}
