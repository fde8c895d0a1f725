"use client";

import { type ReactNode, useEffect, useRef } from "react";

type MenuProps = {
  /** What opens it: an icon, a name. */
  trigger: ReactNode;
  /** What assistive technology hears where the trigger shows no words. */
  label?: string;
  triggerClassName?: string;
  placement?: "below" | "above";
  /** Which edges of trigger and menu lie above each other; the menu grows to the other side. */
  align?: "start" | "end";
  children: ReactNode;
};

/** A few links and buttons behind one. Opens without JavaScript, too; with it, Escape, a click elsewhere and moving on close it. */
export function Menu({ trigger, label, triggerClassName = "", placement = "below", align = "end", children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);

  useEffect(() => {
    const closeUnlessMeant = (event: Event) => {
      const details = menu.current;
      if (!details?.open || isMeant(event, details)) return;
      details.open = false;
      if (event instanceof KeyboardEvent) details.querySelector("summary")?.focus();
    };
    const events = ["keydown", "pointerdown", "focusin", "click"] as const;
    for (const name of events) document.addEventListener(name, closeUnlessMeant);
    return () => {
      for (const name of events) document.removeEventListener(name, closeUnlessMeant);
    };
  }, []);

  const side = placement === "above" ? "bottom-full mb-2" : "top-full mt-2";
  const edge = align === "start" ? "start-0 min-w-40" : "end-0 min-w-52";
  return (
    <details ref={menu} className="relative">
      <summary className={`inline-flex select-none items-center rounded-md ${triggerClassName}`}>
        {label && <span className="sr-only">{label}</span>}
        {trigger}
      </summary>
      <div className={`absolute ${side} ${edge} z-20 rounded-lg border border-line bg-raised p-1.5 shadow-overlay`}>{children}</div>
    </details>
  );
}

/** How a link or button in a menu looks. */
export const MENU_ITEM = "flex min-h-10 w-full items-center gap-2.5 rounded-md px-3 text-start text-sm hover:bg-sunken pointer-coarse:min-h-11";

/** Whether the menu stays open: for any key but Escape, and for whatever happens within it but the following of a link. */
function isMeant(event: Event, details: HTMLDetailsElement): boolean {
  if (event instanceof KeyboardEvent) return event.key !== "Escape";
  const isWithin = event.target instanceof Element && details.contains(event.target);
  return isWithin && !(event.type === "click" && event.target.closest("a"));
}
