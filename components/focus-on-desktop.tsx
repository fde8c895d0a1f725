"use client";

import { useEffect } from "react";
import { fieldId } from "./ui/field-id.ts";

type FocusOnDesktopProps = {
  /** The name of the field that somebody came for. */
  to: string;
};

/** Puts the cursor where one would type first, unless something else on the page asked for it. Not on a phone, where that would open its keyboard over the page. */
export function FocusOnDesktop({ to }: FocusOnDesktopProps) {
  useEffect(() => {
    const isTaken = document.querySelector("main")?.contains(document.activeElement);
    if (!isTaken && matchMedia("(pointer: fine)").matches) document.getElementById(fieldId(to))?.focus({ preventScroll: true });
  }, [to]);

  return null;
}
