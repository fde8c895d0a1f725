import { DEFAULT_LOCALE, isLocale, type Locale } from "#lib/locales";

/** The language of the page that is shown, for what the browser says without the server; on the server, where nobody knows it here, the default one. */
export function pageLocale(): Locale {
  const language = typeof document === "undefined" ? "" : document.documentElement.lang;
  return isLocale(language) ? language : DEFAULT_LOCALE;
}
