"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { REFUSED } from "./form.tsx";
import { Notice } from "./notice.tsx";

/** Says what a form just did, or could not do. Takes the focus, which was on a button that is gone, and is read out by that. Once another try was refused it is old news. */
export function Outcome({ tone = "success", children }: { tone?: "success" | "danger"; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isOld, setIsOld] = useState(false);
  useEffect(() => {
    // A window that is still open would lie over it.
    for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog:modal")) dialog.close();
    place.current?.focus();
    const age = () => setIsOld(true);
    document.addEventListener(REFUSED, age);
    return () => document.removeEventListener(REFUSED, age);
  }, []);
  // Without JavaScript a page shows one try: where that was refused, what the address says is from before.
  return (
    <div
      ref={place}
      role={tone === "danger" ? "alert" : "status"}
      tabIndex={-1}
      hidden={isOld}
      className="rounded-lg -outline-offset-2 noscript:[main:has(form[data-refused])_&]:hidden"
    >
      <Notice tone={tone}>{children}</Notice>
    </div>
  );
}
