"use client";

import { useEffect } from "react";
import { fieldId } from "./ui/field-id.ts";

type FocusOnDesktopProps = {
  /** The name of the field that somebody came for. */
  to: string;
};

/** Puts the cursor where one would type first, unless the focus has been moved by then. Not on a phone, where that would open its keyboard over the page. */
export function FocusOnDesktop({ to }: FocusOnDesktopProps) {
  useEffect(() => {
    if (isFocusFree(document.activeElement) && matchMedia("(pointer: fine)").matches) document.getElementById(fieldId(to))?.focus({ preventScroll: true });
  }, [to]);

  return null;
}

/** It is nowhere, or on the link that led here. */
function isFocusFree(focused: Element | null): boolean {
  return focused === null || focused === document.body || (focused instanceof HTMLAnchorElement && focused.pathname === location.pathname);
}
