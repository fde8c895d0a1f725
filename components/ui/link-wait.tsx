"use client";

import { useLinkStatus } from "next/link";
import { useEffect } from "react";

/** Within a link: while the page it leads to is awaited, what is shown is said to be old, and the layout fades it after a moment. */
export function LinkWait() {
  const { pending } = useLinkStatus();
  useEffect(() => {
    if (!pending) return;
    const main = document.querySelector("main");
    main?.setAttribute("aria-busy", "true");
    return () => main?.removeAttribute("aria-busy");
  }, [pending]);
  return null;
}
