"use server";

import { THEMES } from "#lib/browser-choices";
import { isLocale } from "#lib/locales";
import { updatePreferences } from "#server/preferences";
import { stayOnPage, submitButton, textOf } from "./forms.ts";
import { keepLocale, keepShortcuts, keepTheme } from "./preferences.ts";
import { currentViewer } from "./visit.ts";

/** Keeps the look that was chosen in the footer, and stays on the page. */
export async function chooseTheme(form: FormData): Promise<void> {
  const chosen = textOf(form, "theme");
  await keepTheme(THEMES.find((theme) => theme === chosen) ?? null);
  await stayOnPage();
}

/** Keeps the language that was chosen in the footer, with the account of who is signed in, and stays on the page. */
export async function chooseLocale(form: FormData): Promise<void> {
  const chosen = textOf(form, "locale");
  const locale = isLocale(chosen) ? chosen : null;
  await submitButton(async () => {
    const viewer = await currentViewer();
    if (viewer) await updatePreferences(viewer, { locale });
    await keepLocale(locale);
    await stayOnPage();
  });
}

/** Keeps whether single keys are shortcuts. The window that asks, which is there with JavaScript alone, stays open unless that cannot be done, now or the last time. */
export async function chooseShortcuts(form: FormData): Promise<void> {
  const hasShortcuts = textOf(form, "shortcuts") === "on";
  await submitButton(async () => {
    const viewer = await currentViewer();
    if (viewer) await updatePreferences(viewer, { hasShortcuts });
    await keepShortcuts(hasShortcuts);
    await stayOnPage();
  });
}
