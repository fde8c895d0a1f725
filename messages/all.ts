import type { Locale } from "#lib/locales";
import ar from "./ar.json";
import de from "./de.json";
import en from "./en.json";

/** Everything that Heard says, in each language. For the server alone: a browser that imported it would be sent all of them. */
export const MESSAGES: Record<Locale, typeof en> = { en, de, ar };
