"use client";

import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

type DialogProps = {
  title: string;
  close: string;
  onClose: () => void;
  /** Its top stays where it is while what is in it grows and shrinks. */
  isHeldAtTop?: boolean;
  children: ReactNode;
};

const PLACE = { top: "mx-auto mt-[12dvh] mb-auto max-sm:mt-4 max-sm:w-[calc(100%-2rem)]", middle: "m-auto max-sm:mb-0 max-sm:rounded-b-none" };

/** A window over the page that keeps the focus until it is closed: by its button, Escape or a click beside it. Mounting it opens it; the focus begins at what has `data-begin`. */
export function Dialog({ title, close, onClose, isHeldAtTop = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>("[data-begin]")?.focus();
    const closeBeside = (event: MouseEvent) => event.target === element && element?.close();
    element?.addEventListener("click", closeBeside);
    return () => element?.removeEventListener("click", closeBeside);
  }, []);

  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      className={`w-full max-w-lg rounded-xl border border-line bg-raised p-0 text-ink shadow-overlay backdrop:bg-veil ${PLACE[isHeldAtTop ? "top" : "middle"]}`}
    >
      <div className="grid gap-5 p-5 sm:p-6">
        <div className="flex items-center justify-between gap-4">
          <h2 className="font-semibold text-xl">{title}</h2>
          <form method="dialog">
            <button
              type="submit"
              aria-label={close}
              className="inline-flex size-10 items-center justify-center rounded-md hover:bg-sunken pointer-coarse:size-11"
            >
              <X aria-hidden="true" className="size-5" />
            </button>
          </form>
        </div>
        {children}
      </div>
    </dialog>
  );
}
