import { createTranslator } from "next-intl";
import { type AccentTones, accentTones, DEFAULT_ACCENT } from "#lib/accent";
import { DEFAULT_LOCALE, directionOf, isLocale, type Locale } from "#lib/locales";
import { MESSAGES } from "#messages/all.ts";

const MAX_TITLE_LENGTH = 100;
const MAX_NAME_LENGTH = 60;
const ELLIPSIS = "…";

/** Whom a letter speaks for, in which language, and in which color (six hex digits). */
export type LetterSite = { title: string; url: string; locale?: string; accentColor?: string };

/** What every letter can draw on: its words, and the site it speaks for. */
export type LetterContext = {
  t: ReturnType<typeof translator>;
  locale: string;
  direction: "ltr" | "rtl";
  siteTitle: string;
  siteUrl: string;
  accent: AccentTones;
};

/** The context for letters of `site`; a language without messages is written in English. */
export function letterContext({ title, url, locale = DEFAULT_LOCALE, accentColor = DEFAULT_ACCENT }: LetterSite): LetterContext {
  const known = isLocale(locale) ? locale : DEFAULT_LOCALE;
  return {
    t: translator(known),
    locale: known,
    direction: directionOf(known),
    siteTitle: bounded(withoutBreaks(title), MAX_TITLE_LENGTH),
    siteUrl: url,
    accent: accentTones(accentColor),
  };
}

/** `value` without line breaks: what a mail header, and so a subject, must be. */
export function withoutBreaks(value: string): string {
  return value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

/**
 * A name to greet by, or null if there is none fit for it. Anybody can sign up with somebody else's address and a name that is
 * an advertisement; mail programs turn what looks like an address into a link, so no "name" is repeated that has a colon or goes on right behind a dot.
 */
export function greetableName(name: string | undefined): string | null {
  const value = bounded(withoutBreaks(name ?? ""), MAX_NAME_LENGTH);
  return value === "" || /[@/\\:]|[.。．｡](?! |$)/u.test(value) ? null : value;
}

function translator(locale: Locale) {
  return createTranslator({ locale, messages: MESSAGES[locale], namespace: "emails" });
}

function bounded(value: string, maxLength: number): string {
  const characters = [...value];
  return characters.length <= maxLength ? value : characters.slice(0, maxLength - 1).join("") + ELLIPSIS;
}
