"use client";

import { useSyncExternalStore } from "react";

/**
 * What `look` says of the browser that the page came alive in, or without it that it did; false until then, as on the server.
 * For what does not change while the page is open.
 */
export function useInBrowser(look: () => boolean = yes): boolean {
  return useSyncExternalStore(nothingToWatch, look, no);
}

function nothingToWatch(): () => void {
  return () => {};
}

function yes(): boolean {
  return true;
}

function no(): boolean {
  return false;
}
