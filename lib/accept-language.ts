import { match } from "@formatjs/intl-localematcher";
import Negotiator from "negotiator";
import { DEFAULT_LOCALE, isLocale, LOCALES, type Locale } from "./locales.ts";

/** Nobody speaks more languages than this holds; matching takes longer the more there are. */
const MAX_LENGTH = 300;

const NONE = "und";

/** The language that an `Accept-Language` header asks for, else `fallback`. */
export function requestedLocale(acceptLanguage: string | null, fallback: string): Locale {
  return askedLocale(acceptLanguage) ?? (isLocale(fallback) ? fallback : DEFAULT_LOCALE);
}

/** The language that an `Accept-Language` header asks for; null where it asks for none that Heard speaks. */
export function askedLocale(acceptLanguage: string | null): Locale | null {
  const asked = new Negotiator({ headers: { "accept-language": (acceptLanguage ?? "").slice(0, MAX_LENGTH) } }).languages().filter(isLanguageTag);
  const found = asked.length > 0 ? match(asked, LOCALES, NONE) : NONE;
  return isLocale(found) ? found : null;
}

/** What is no tag would be thrown at by everything that reads one. */
function isLanguageTag(tag: string): boolean {
  try {
    return tag !== "*" && Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
