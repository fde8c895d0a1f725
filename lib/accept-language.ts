import { match } from "@formatjs/intl-localematcher";
import Negotiator from "negotiator";
import { DEFAULT_LOCALE, isLocale, LOCALES, type Locale } from "./locales.ts";

/** Nobody speaks more languages than this holds; matching takes longer the more there are. */
const MAX_LENGTH = 300;

/** The language that an `Accept-Language` header asks for, else `fallback`. */
export function requestedLocale(acceptLanguage: string | null, fallback: string): Locale {
  const otherwise = isLocale(fallback) ? fallback : DEFAULT_LOCALE;
  const asked = new Negotiator({ headers: { "accept-language": (acceptLanguage ?? "").slice(0, MAX_LENGTH) } }).languages().filter(isLanguageTag);
  return asked.length > 0 ? (match(asked, LOCALES, otherwise) as Locale) : otherwise;
}

/** What is no tag would be thrown at by everything that reads one. */
function isLanguageTag(tag: string): boolean {
  try {
    return tag !== "*" && Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
