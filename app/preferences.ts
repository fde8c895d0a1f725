import { cookies, headers } from "next/headers";
import { cache } from "react";
import { requestedLocale } from "#lib/accept-language";
import { sessionCookie } from "#lib/auth";
import { CHOICE_COOKIES, THEMES, type Theme } from "#lib/browser-choices";
import { isLocale, type Locale, PSEUDO_LOCALE } from "#lib/locales";
import { currentSettings, currentVisit } from "./visit.ts";

const { theme: THEME_COOKIE, locale: LOCALE_COOKIE, shortcuts: SHORTCUTS_COOKIE } = CHOICE_COOKIES;
const YEAR_S = 365 * 24 * 60 * 60;
const COOKIE = { path: "/", maxAge: YEAR_S, sameSite: "lax", httpOnly: true } as const;

/** The look that this browser chose; null: as its system says. */
export const currentTheme = cache(async (): Promise<Theme | null> => {
  const chosen = (await cookies()).get(THEME_COOKIE)?.value;
  return THEMES.find((theme) => theme === chosen) ?? null;
});

/** The page's language: what this browser chose, else what it asks for, else the site's. */
export const currentLocale = cache(async (): Promise<Locale | typeof PSEUDO_LOCALE> => {
  const chosen = (await cookies()).get(LOCALE_COOKIE)?.value;
  if (isLocale(chosen) || chosen === PSEUDO_LOCALE) return chosen;
  return requestedLocale((await headers()).get("accept-language"), await siteLocale());
});

/** Whether single keys are shortcuts in this browser. */
export const hasShortcuts = cache(async (): Promise<boolean> => (await cookies()).get(SHORTCUTS_COOKIE)?.value !== "off");

/** Keeps the look that somebody chose; null: as the system says. Only in a form's action. */
export async function keepTheme(theme: Theme | null): Promise<void> {
  await keep(THEME_COOKIE, theme);
}

/** Keeps the language that somebody chose; null: as the browser asks. Only in a form's action. */
export async function keepLocale(locale: Locale | null): Promise<void> {
  await keep(LOCALE_COOKIE, locale);
}

/** Keeps whether single keys are shortcuts. Only in a form's action. */
export async function keepShortcuts(areOn: boolean): Promise<void> {
  await keep(SHORTCUTS_COOKIE, areOn ? null : "off");
}

async function keep(name: string, value: string | null): Promise<void> {
  const isSecure = sessionCookie(await currentVisit()).options.secure;
  (await cookies()).set(name, value ?? "", { ...COOKIE, secure: isSecure, ...(value === null && { maxAge: 0 }) });
}

/** A site whose database is away speaks, too. */
async function siteLocale(): Promise<string> {
  return currentSettings().then(
    ({ locale }) => locale,
    () => "",
  );
}
