import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { DARK_PAPER, LIGHT_PAPER } from "#lib/accent";
import { requestedLocale } from "#lib/accept-language";
import { CHOICE_COOKIES, THEMES } from "#lib/browser-choices";
import { SOON_SECONDS } from "#lib/errors";
import { DEFAULT_LOCALE, directionOf, isLocale, type Locale } from "#lib/locales";
import { readCookie } from "#lib/visit";
import words from "#messages/starting-page.json" with { type: "json" };
import { SOON } from "./refusals.ts";
import { contentSecurityPolicy } from "./security-headers.ts";

// Of the colors in app/globals.css, which nobody can be sent yet.
const STYLE = `
  html { background: light-dark(#${LIGHT_PAPER}, #${DARK_PAPER}); color: light-dark(#1d1a16, #eeebe6); font: 1rem/1.5 system-ui, sans-serif; }
  main { max-width: 40rem; margin: 20vh auto; padding: 0 1.5rem; }
  h1 { margin: 0 0 0.5rem; font-size: 1.5rem; line-height: 1.25; }
  p { margin: 0; color: light-dark(#625c53, #aaa49a); }`;

/** Answers a browser that came before the site was ready, in the language and the look that were chosen in it or that it asks for: it asks again by itself, unless it sent a form. */
export function sayStarting({ method, headers }: IncomingMessage, response: ServerResponse): void {
  const nonce = randomBytes(16).toString("base64");
  const chosen = readCookie(headers.cookie, CHOICE_COOKIES.locale);
  const locale = isLocale(chosen) ? chosen : requestedLocale(headers["accept-language"] ?? null, DEFAULT_LOCALE);
  const chosenTheme = readCookie(headers.cookie, CHOICE_COOKIES.theme);
  const theme = THEMES.find((each) => each === chosenTheme) ?? "light dark";
  const type = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": contentSecurityPolicy(nonce) };
  // A form that was sent now: a page that came by itself would be the empty one, and what was typed gone.
  const isAskedAgain = method === "GET" || method === "HEAD";
  const { title, [isAskedAgain ? "text" : "formText"]: text } = words[locale];
  const refresh = isAskedAgain ? { Refresh: String(SOON_SECONDS) } : {};
  response.writeHead(503, { ...type, "Cache-Control": "no-store", ...SOON, ...refresh }).end(startingPage({ locale, theme, nonce, title, text }));
}

function startingPage({ locale, theme, nonce, title, text }: { locale: Locale } & Record<"theme" | "nonce" | "title" | "text", string>): string {
  return `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style nonce="${nonce}">
  :root { color-scheme: ${theme}; }${STYLE}
</style>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</html>
`;
}
