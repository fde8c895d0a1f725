"use client";

import { useEffect } from "react";

type FocusKeeperProps = {
  /** The id of what gets the focus where nothing else takes it. */
  to: string;
};

/** A link that was followed and a button that did its work are often gone: the main part gets their focus, from which the keyboard goes on. */
export function FocusKeeper({ to }: FocusKeeperProps) {
  useEffect(() => {
    let last: EventTarget | null = null;
    const note = ({ target }: FocusEvent) => {
      last = target;
    };
    const keep = () => {
      const isGone = last instanceof Element && !last.isConnected;
      if (isGone && document.activeElement === document.body) document.getElementById(to)?.focus({ preventScroll: true });
    };
    // After whatever on the page asks for the focus itself.
    const observer = new MutationObserver(() => requestAnimationFrame(keep));
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("focusin", note);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", note);
    };
  }, [to]);

  return null;
}
