"use client";

import type { ReactNode } from "react";
import { fieldId } from "./field-id.ts";
import { useFormState } from "./form.tsx";

/** One of several things to choose from. */
export type Choice = {
  value: string;
  title: string;
  text?: string;
  sign?: ReactNode;
  /** What else is asked of who chooses it; shown while it is chosen. */
  more?: ReactNode;
};

type ChoiceCardsProps = { name: string; label: string; choices: Choice[]; defaultValue: string };

/** A choice among a few, each explained on a card of its own. */
export function ChoiceCards({ name, label, choices, defaultValue }: ChoiceCardsProps) {
  const chosen = useFormState().values?.[name] ?? defaultValue;
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">{label}</legend>
      {choices.map(({ value, title, text, sign, more }) => (
        <div
          key={value}
          className="group/choice rounded-lg border border-line bg-surface shadow-low hover:border-line-strong has-[[type=radio]:checked]:border-accent has-[[type=radio]:checked]:bg-accent-wash"
        >
          <label
            htmlFor={`${fieldId(name)}-${value}`}
            className="flex cursor-pointer items-center gap-4 rounded-lg p-4 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent-ink has-[:focus-visible]:outline-offset-2"
          >
            <input
              id={`${fieldId(name)}-${value}`}
              type="radio"
              name={name}
              value={value}
              defaultChecked={value === chosen}
              className="radio size-6 outline-none"
            />
            {sign}
            <span className="grid min-w-0">
              <span className="font-semibold">{title}</span>
              {text && <span className="text-muted text-sm">{text}</span>}
            </span>
          </label>
          {more && <div className="hidden px-4 pb-4 group-has-[[type=radio]:checked]/choice:block sm:ps-14">{more}</div>}
        </div>
      ))}
    </fieldset>
  );
}
