"use client";

import type { ReactNode } from "react";
import { useFormStatus } from "react-dom";
import { type ButtonKind, buttonStyle } from "./button-style.ts";

type SubmitButtonProps = {
  children: ReactNode;
  kind?: ButtonKind;
  /** What assistive technology hears where the text alone does not name the thing. */
  label?: string;
};

/** Sends its form, once: while that is under way it shows so and keeps its words and the focus. */
export function SubmitButton({ children, kind = "primary", label }: SubmitButtonProps) {
  const { pending } = useFormStatus();
  return (
    <button
      type="submit"
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
