"use client";

import { useEffect, useRef } from "react";
import { useFormState } from "./form.tsx";

/** Asks before somebody leaves the surrounding form with changes in it. Without JavaScript the browser keeps what was typed for the way back. */
export function UnsavedGuard({ question }: { question: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const state = useFormState();

  useEffect(() => {
    const form = place.current?.closest("form");
    // What the server refused is not saved either.
    let isChanged = state.error !== undefined;
    const note = () => {
      isChanged = true;
    };
    const forget = () => {
      isChanged = false;
    };
    const onLeave = (event: BeforeUnloadEvent) => isChanged && event.preventDefault();
    const onClick = (event: MouseEvent) => {
      if (!isChanged || !leadsAway(event)) return;
      if (confirm(question)) return forget();
      event.preventDefault();
      event.stopPropagation();
    };
    form?.addEventListener("input", note);
    form?.addEventListener("submit", forget);
    window.addEventListener("beforeunload", onLeave);
    // Before the router's own links hear of it.
    document.addEventListener("click", onClick, true);
    return () => {
      form?.removeEventListener("input", note);
      form?.removeEventListener("submit", forget);
      window.removeEventListener("beforeunload", onLeave);
      document.removeEventListener("click", onClick, true);
    };
  }, [state, question]);

  return <span ref={place} hidden />;
}

/** Whether a click follows a link in this tab to another page. */
function leadsAway(event: MouseEvent): boolean {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0 || link?.target === "_blank";
  return link !== null && !isElsewhere && !link.getAttribute("href")?.startsWith("#");
}
