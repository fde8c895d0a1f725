"use client";

import { type ReactNode, useRef } from "react";
import { FieldError, Hint, useDescription } from "./field.tsx";
import { useFormState } from "./form.tsx";
import { OWN_COLOR, ownColorName } from "./own-color.tsx";

/** A color on offer: six hex digits, and what it is called. */
export type Swatch = { value: string; name: string };

type SwatchFieldProps = {
  name: string;
  label: string;
  hint: string;
  swatches: Swatch[];
  /** Six hex digits; of the swatches or not. */
  defaultValue: string;
  words: { own: string; pick: string };
};

const CHOICE =
  "absolute inset-0 size-full appearance-none cursor-pointer rounded-full border-2 border-transparent checked:border-ink hover:not-checked:border-line-strong/60 forced-colors:not-checked:border-0";

/** A color: one of a few that go well, or any other by the browser's own picker. */
export function SwatchField({ name, label, hint, swatches, defaultValue, words }: SwatchFieldProps) {
  const { values } = useFormState();
  const { id, error, describedBy } = useDescription(name, hint);
  const own = useRef<HTMLInputElement>(null);
  const chosen = values?.[name] ?? (swatches.some(({ value }) => value === defaultValue) ? defaultValue : OWN_COLOR);
  return (
    <fieldset id={id} tabIndex={-1} aria-describedby={describedBy} className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <Hint id={id} hint={hint} />
      <div className="-ms-1.5 grid w-fit grid-cols-4 items-center gap-1 sm:flex sm:flex-wrap">
        {swatches.map(({ value, name: colorName }) => (
          <SwatchChoice key={value} title={colorName}>
            <Disc color={value} />
            <input type="radio" name={name} value={value} defaultChecked={chosen === value} aria-label={colorName} className={CHOICE} />
          </SwatchChoice>
        ))}
        <span className="col-span-4 ms-1.5 flex items-center gap-2 justify-self-start rounded-full border border-line ps-3 pe-1 text-sm">
          <label className="flex min-h-10 items-center gap-2 pointer-coarse:min-h-11">
            <input ref={own} type="radio" name={name} value={OWN_COLOR} defaultChecked={chosen === OWN_COLOR} className="radio size-4.5" />
            {words.own}
          </label>
          <input
            type="color"
            name={ownColorName(name)}
            aria-label={words.pick}
            defaultValue={values?.[ownColorName(name)] ?? `#${defaultValue}`}
            onInput={() => {
              if (own.current) own.current.checked = true;
            }}
            className="color-picker size-8 pointer-coarse:size-11"
          />
        </span>
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  );
}

function SwatchChoice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <span title={title} className="relative inline-flex size-10 pointer-coarse:size-11">
      {children}
    </span>
  );
}

function Disc({ color }: { color: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 40 40" className="size-full">
      <circle cx="20" cy="20" r="14" fill={`#${color}`} />
    </svg>
  );
}
