"use client";

import { useSyncExternalStore } from "react";
import { Notice } from "./ui/notice.tsx";

/** Where a browser keeps no cookies, says so before somebody tries to sign in again and again. */
export function CookieNotice({ text }: { text: string }) {
  const isBlocked = useSyncExternalStore(nothingToWatch, keepsNoCookies, onServer);
  return isBlocked && <Notice tone="warning">{text}</Notice>;
}

function nothingToWatch(): () => void {
  return () => {};
}

function keepsNoCookies(): boolean {
  return !navigator.cookieEnabled;
}

function onServer(): boolean {
  return false;
}
