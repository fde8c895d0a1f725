"use client";

import { useFormState } from "./form.tsx";

type RadioFieldProps = { name: string; label: string; choices: { value: string; text: string }[]; defaultValue: string };

/** One of two or three, all of them in view. */
export function RadioField({ name, label, choices, defaultValue }: RadioFieldProps) {
  const { values } = useFormState();
  const chosen = values?.[name] ?? defaultValue;
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <div className="grid auto-cols-fr grid-flow-col gap-2 sm:flex sm:flex-wrap">
        {choices.map(({ value, text }) => (
          <label
            key={value}
            className="inline-flex min-h-10 items-center gap-2 rounded-md border border-line-strong/60 bg-surface px-3 shadow-low max-sm:flex-col max-sm:justify-center max-sm:gap-1 max-sm:px-1 max-sm:py-2 max-sm:text-center max-sm:text-sm has-checked:border-accent-ink has-checked:bg-accent-wash pointer-coarse:min-h-11"
          >
            <input type="radio" name={name} value={value} defaultChecked={value === chosen} className="radio size-4" />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
