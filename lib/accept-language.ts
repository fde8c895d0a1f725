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
  const asked = new Negotiator({ headers: { "accept-language": (acceptLanguage ?? "").slice(0, MAX_LENGTH) } }).languages().flatMap(languageOf);
  const found = asked.length > 0 ? match(asked, LOCALES, NONE) : NONE;
  return isLocale(found) ? found : null;
}

/** The bare language of a tag; an empty list for what is no tag, at which the matcher would throw. It remembers for ever what it was asked for: three letters put an end to that. */
function languageOf(tag: string): string[] {
  try {
    const { language } = new Intl.Locale(tag);
    return language.length <= 3 ? [language] : [];
  } catch {
    return [];
  }
}
