"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import { INPUT, useDescription } from "./field.tsx";
import { fieldId } from "./field-id.ts";
import { useFormState } from "./form.tsx";
import { colorCodeName, colorOfCode } from "./own-color.tsx";

type ColorCodeProps = {
  /** The name of the color's own field. */
  of: string;
  label: string;
  /** As the field has it first, such as "#0f6b7c". */
  defaultValue: string;
};

/** A color's code, to be read, copied or typed: it follows the browser's picker and leads it. What is no code is sent along, to be refused. Of no use without JavaScript, and not there then. */
export function ColorCode({ of, label, defaultValue }: ColorCodeProps) {
  const code = useRef<HTMLInputElement>(null);
  const { values } = useFormState();
  const { error, describedBy } = useDescription(of, null);
  const picker = () => document.getElementById(fieldId(of)) as HTMLInputElement;
  const show = () => {
    if (code.current) code.current.value = picker().value;
  };

  const lead = () => {
    const color = colorOfCode(code.current?.value);
    if (!color) return;
    picker().value = color;
    picker().dispatchEvent(new Event("input", { bubbles: true }));
  };
  const showWhole = () => {
    if (colorOfCode(code.current?.value)) show();
  };

  // Somebody may have typed one before the page came alive.
  const begin = useEffectEvent(() => (code.current?.value === code.current?.defaultValue ? showWhole() : lead()));
  const follow = useEffectEvent(({ target }: Event) => {
    if (target === picker() && document.activeElement !== code.current) show();
  });
  useEffect(() => {
    const onInput = (event: Event) => follow(event);
    begin();
    document.addEventListener("input", onInput);
    return () => document.removeEventListener("input", onInput);
  }, []);

  return (
    <input
      ref={code}
      type="text"
      name={colorCodeName(of)}
      aria-label={label}
      aria-invalid={error ? true : undefined}
      aria-describedby={describedBy}
      defaultValue={values?.[colorCodeName(of)] ?? defaultValue}
      onInput={lead}
      onBlur={showWhole}
      dir="ltr"
      autoCapitalize="none"
      autoCorrect="off"
      autoComplete="off"
      spellCheck={false}
      className={`${INPUT} h-11 w-28! rounded-md font-mono noscript:hidden ${error ? "border-danger-ink" : "border-line-strong"}`}
    />
  );
}
