import { getRequestConfig } from "next-intl/server";
import { DEFAULT_LOCALE, type Locale, PSEUDO_LOCALE } from "#lib/locales";
import { MESSAGES } from "#messages/all.ts";
import failedPage from "#messages/failed-page.json";
import { currentLocale } from "../preferences.ts";
import { pseudoMessages } from "./pseudo.ts";

type Messages = (typeof MESSAGES)[Locale];

// What a page says that failed in the browser lies in a file of its own: whatever is imported there is sent there, whole.
function withFailedPage(messages: Messages, locale: Locale) {
  return { ...messages, problems: { ...messages.problems, failed: failedPage[locale] } };
}

/** A page's words. Time is UTC unless a page says otherwise. */
export default getRequestConfig(async () => {
  const locale = await currentLocale();
  if (locale === PSEUDO_LOCALE) return { locale, messages: pseudoMessages(withFailedPage(MESSAGES[DEFAULT_LOCALE], DEFAULT_LOCALE)), timeZone: "UTC" };
  return { locale, messages: withFailedPage(MESSAGES[locale], locale), timeZone: "UTC" };
});
