"use client";

import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from "react";
import { INPUT } from "./field.tsx";
import { fieldId } from "./field-id.ts";

type ColorCodeProps = {
  /** The name of the color's own field. */
  of: string;
  label: string;
  /** Says how a code is written, where Enter is pressed on what is none. */
  wrong: string;
  /** As the field has it first, such as "#0f6b7c". */
  defaultValue: string;
};

/** A color's code, to be read, copied or typed: it follows the browser's picker and leads it. Of no use without JavaScript, and not there then. */
export function ColorCode({ of, label, wrong, defaultValue }: ColorCodeProps) {
  const code = useRef<HTMLInputElement>(null);
  const picker = () => document.getElementById(fieldId(of)) as HTMLInputElement;
  const show = () => {
    if (code.current) code.current.value = picker().value;
  };

  const lead = () => {
    code.current?.setCustomValidity("");
    const color = colorOf(code.current?.value);
    if (!color) return;
    picker().value = color;
    picker().dispatchEvent(new Event("input", { bubbles: true }));
  };

  // Sent with a code that is none, the form would save the color from before.
  const refuse = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== "Enter" || colorOf(event.currentTarget.value)) return;
    event.preventDefault();
    event.currentTarget.setCustomValidity(wrong);
    event.currentTarget.reportValidity();
  };

  // Somebody may have typed one before the page came alive.
  const begin = useEffectEvent(() => (code.current?.value === code.current?.defaultValue ? show() : lead()));
  const follow = useEffectEvent(() => document.activeElement === code.current || show());
  useEffect(() => {
    const onInput = () => follow();
    begin();
    document.addEventListener("input", onInput);
    return () => document.removeEventListener("input", onInput);
  }, []);

  return (
    <input
      ref={code}
      type="text"
      aria-label={label}
      defaultValue={defaultValue}
      onInput={lead}
      onKeyDown={refuse}
      onBlur={show}
      dir="ltr"
      autoCapitalize="none"
      autoCorrect="off"
      autoComplete="off"
      spellCheck={false}
      className={`${INPUT} h-11 w-28! rounded-md border-line-strong font-mono noscript:hidden`}
    />
  );
}

/** As the browser's picker has it; undefined where `code` is none. */
function colorOf(code = ""): string | undefined {
  const [, digits] = /^#?([0-9a-f]{6})$/i.exec(code.trim()) ?? [];
  return digits && `#${digits}`;
}
