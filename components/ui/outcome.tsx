"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { Notice } from "./notice.tsx";

/** Says what a form just did. Takes the focus, which was on a button that is gone, and is read out by that. Once a form was refused it is old news. */
export function Outcome({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} role="status" tabIndex={-1} className="rounded-lg [main:has(form[data-refused])_&]:hidden">
      <Notice tone="success">{children}</Notice>
    </div>
  );
}
