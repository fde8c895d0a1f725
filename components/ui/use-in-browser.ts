"use client";

import { useSyncExternalStore } from "react";

/** What `look` says of the browser that the page came alive in; false until then, as on the server. For what does not change while the page is open. */
export function useInBrowser(look: () => boolean): boolean {
  return useSyncExternalStore(nothingToWatch, look, no);
}

function nothingToWatch(): () => void {
  return () => {};
}

function no(): boolean {
  return false;
}
