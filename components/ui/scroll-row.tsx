"use client";

import { type ReactNode, useLayoutEffect, useRef } from "react";

type ScrollRowProps = {
  /** Tells which of them is the current one. */
  current: string | undefined;
  className: string;
  /** List items; the current one holds what is marked `aria-current`. */
  children: ReactNode;
};

/** A list in one row, scrolled sideways where it has no room, with the current one in sight. */
export function ScrollRow({ current, className, children }: ScrollRowProps) {
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another current one moves the row, which a person may have scrolled since.
  useLayoutEffect(() => {
    const marked = list.current?.querySelector("[aria-current]")?.getBoundingClientRect();
    const row = list.current?.getBoundingClientRect();
    // Scrolls the row alone, never the page; what is too far is cut off by the browser.
    if (marked && row) list.current?.scrollBy({ left: marked.left + marked.width / 2 - (row.left + row.width / 2), behavior: "instant" });
  }, [current]);
  return (
    <ul ref={list} className={`overflow-x-auto whitespace-nowrap [scrollbar-width:none] ${className}`}>
      {children}
    </ul>
  );
}
