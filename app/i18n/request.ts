import { getRequestConfig } from "next-intl/server";
import { DEFAULT_LOCALE, type Locale, PSEUDO_LOCALE } from "#lib/locales";
import { MESSAGES } from "#messages/all.ts";
import failedPage from "#messages/failed-page.json";
import { currentLocale } from "../preferences.ts";
import { siteTimeZone } from "../visit.ts";
import { pseudoMessages } from "./pseudo.ts";

type Messages = (typeof MESSAGES)[Locale];

// What a page says that failed in the browser lies in a file of its own: whatever is imported there is sent there, whole.
function withFailedPage(messages: Messages, locale: Locale) {
  return { ...messages, problems: { ...messages.problems, failed: failedPage[locale] } };
}

/** A page's words, and its clock: the site's. */
export default getRequestConfig(async () => {
  const [locale, timeZone] = await Promise.all([currentLocale(), siteTimeZone()]);
  if (locale === PSEUDO_LOCALE) return { locale, messages: pseudoMessages(withFailedPage(MESSAGES[DEFAULT_LOCALE], DEFAULT_LOCALE)), timeZone };
  return { locale, messages: withFailedPage(MESSAGES[locale], locale), timeZone };
});
