"use client";

import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { FieldError, FieldLabel, INPUT, useDescription } from "./field.tsx";
import { useFormState } from "./form.tsx";

type SelectFieldProps = {
  name: string;
  label: string;
  hint?: string;
  defaultValue: string;
  /** The choices, as `option` and `optgroup`. */
  children: ReactNode;
};

/** One choice of many, from the browser's own list. */
export function SelectField({ name, label, hint, defaultValue, children }: SelectFieldProps) {
  const { values } = useFormState();
  const { id, error, describedBy } = useDescription(name, hint);
  return (
    <div className="grid gap-1.5">
      <FieldLabel id={id} label={label} hint={hint} />
      <div className="relative">
        <select
          id={id}
          name={name}
          defaultValue={values?.[name] ?? defaultValue}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          className={`${INPUT} appearance-none rounded-md pe-10 ${error ? "border-danger-ink" : "border-line-strong"}`}
        >
          {children}
        </select>
        <ChevronDown aria-hidden="true" className="pointer-events-none absolute inset-y-0 end-3 my-auto size-4 text-muted" />
      </div>
      <FieldError id={id} error={error} />
    </div>
  );
}
