"use client";

import type { ReactNode } from "react";
import { useFormStatus } from "react-dom";
import { type ButtonKind, buttonStyle } from "./button-style.ts";

type SubmitButtonProps = {
  children: ReactNode;
  kind?: ButtonKind;
  /** What assistive technology hears where the text alone does not name the thing. */
  label?: string;
  /** Sent with the form, where it matters which of its buttons was pressed. */
  name?: string;
};

/** Sends its form, once: while that is under way it shows so and keeps its words and the focus. */
export function SubmitButton(props: SubmitButtonProps) {
  return <SubmitButtonFace {...props} pending={useFormStatus().pending} />;
}

/** How a `SubmitButton` looks while its form is under way, and else. */
export function SubmitButtonFace({ children, kind = "primary", label, name, pending }: SubmitButtonProps & { pending: boolean }) {
  return (
    <button
      type="submit"
      name={name}
      aria-label={label}
      aria-disabled={pending || undefined}
      onClick={(event) => pending && event.preventDefault()}
      className={`${buttonStyle(kind)} aria-disabled:cursor-progress aria-disabled:opacity-75`}
    >
      {pending && <span aria-hidden="true" className="size-4 motion-safe:animate-spin rounded-full border-2 border-current border-e-transparent" />}
      {children}
    </button>
  );
}
