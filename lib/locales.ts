/** The languages that Heard speaks, each named in itself. CONTRIBUTING says how to add one. */
export const LOCALE_NAMES = { en: "English", de: "Deutsch", ar: "العربية" } as const;

export type Locale = keyof typeof LOCALE_NAMES;

export const LOCALES = Object.keys(LOCALE_NAMES) as Locale[];

/** What is spoken where nothing else is asked for. */
export const DEFAULT_LOCALE: Locale = "en";

/**
 * English with accents and two fifths longer, for finding texts that are cut off or written into the code. Whoever sets the
 * language cookie to it by hand sees it; it is offered nowhere.
 */
export const PSEUDO_LOCALE = "en-XA";

const RIGHT_TO_LEFT = new Set(["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"]);

/** Whether `value` is a language that Heard speaks. */
export function isLocale(value: unknown): value is Locale {
  return typeof value === "string" && Object.hasOwn(LOCALE_NAMES, value);
}

/** How text runs in `locale`. */
export function directionOf(locale: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.has(locale.split("-")[0] ?? "") ? "rtl" : "ltr";
}
