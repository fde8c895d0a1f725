"use client";

import { Notice } from "./ui/notice.tsx";
import { useInBrowser } from "./ui/use-in-browser.ts";

/** Where a browser keeps no cookies, says so before somebody tries to sign in again and again. */
export function CookieNotice({ text }: { text: string }) {
  return useInBrowser(keepsNoCookies) && <Notice tone="warning">{text}</Notice>;
}

function keepsNoCookies(): boolean {
  return !navigator.cookieEnabled;
}
