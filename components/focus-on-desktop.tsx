"use client";

import { useEffect, useState } from "react";
import { fieldId } from "./ui/field-id.ts";
import { useInBrowser } from "./ui/use-in-browser.ts";

type FocusOnDesktopProps = {
  /** The name of the field that somebody came for. */
  to: string;
};

/** Puts the cursor where one would type first, unless the focus has been moved by then. Not on a phone, where that would open its keyboard over the page. */
export function FocusOnDesktop({ to }: FocusOnDesktopProps) {
  // A page that was loaded begins as the server drew it; one that a link of another page led to does not.
  const isAlive = useInBrowser();
  const [isFollowed] = useState(isAlive);
  useEffect(() => {
    if (isFocusFree(isFollowed) && matchMedia("(pointer: fine)").matches) document.getElementById(fieldId(to))?.focus({ preventScroll: true });
  }, [to, isFollowed]);

  return null;
}

/** It is nowhere, or still on the link that was followed, which may stand on this page, too. */
function isFocusFree(isFollowed: boolean): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || (isFollowed && focused.closest("main") === null);
}
