"use client";

import { type HTMLInputAutoCompleteAttribute, type HTMLInputTypeAttribute, type ReactNode, useState } from "react";
import { fieldId } from "./field-id.ts";
import { useFormState } from "./form.tsx";

type FieldProps = {
  name: string;
  label: string;
  /** What to type, or why it is asked. */
  hint?: ReactNode;
  type?: HTMLInputTypeAttribute;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  defaultValue?: string;
  required?: boolean;
  maxLength?: number;
  /** For addresses and code, where a keyboard must correct nothing. */
  isLiteral?: boolean;
  /** Stands in front of what is typed, such as the part of an address that is fixed. */
  prefix?: string;
  /** What is said of what is typed while it is typed. */
  children?: ReactNode;
};

/** How an input looks, but for its border's color and its corners. */
export const INPUT = "min-h-10 w-full min-w-0 pointer-coarse:min-h-11 border bg-surface px-3 text-base shadow-low";

/** One line of text, with its label, hint and error. */
export function Field({ name, label, hint, type = "text", defaultValue = "", isLiteral = false, prefix, children, ...input }: FieldProps) {
  const { values } = useFormState();
  const { id, error, again, describedBy } = useDescription(name, hint);
  const literal = isLiteral ? { autoCapitalize: "none", autoCorrect: "off", spellCheck: false } : {};
  return (
    <div className="grid gap-1.5">
      <FieldLabel id={id} label={label} hint={hint} />
      {/* An address reads left to right in every language. */}
      <div dir={prefix && "ltr"} className="flex min-w-0 items-stretch">
        {prefix && (
          <span
            aria-hidden="true"
            className={`flex items-center whitespace-nowrap rounded-s-md border border-e-0 bg-sunken px-3 text-muted ${error ? "border-danger-ink" : "border-line-strong"}`}
          >
            {prefix}
          </span>
        )}
        <input
          id={id}
          name={name}
          type={type}
          dir={prefix ? "ltr" : type === "text" ? "auto" : undefined}
          defaultValue={values?.[name] ?? defaultValue}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          // What is written the other way stands where everything else does.
          className={`${INPUT} ${prefix ? "rounded-e-md" : "rounded-md in-[[dir=rtl]]:text-right"} ${error ? "border-danger-ink" : "border-line-strong"}`}
          {...literal}
          {...input}
        />
      </div>
      <FieldError id={id} error={error} />
      <TypeAgain id={id} again={again} />
      {children}
    </div>
  );
}

type TextAreaProps = Pick<FieldProps, "name" | "label" | "hint" | "defaultValue" | "maxLength">;

/** A few lines of text, growing with what is typed, with their label, hint and error. */
export function TextArea({ name, label, hint, defaultValue = "", maxLength }: TextAreaProps) {
  const { values } = useFormState();
  const { id, error, describedBy } = useDescription(name, hint);
  return (
    <div className="grid gap-1.5">
      <FieldLabel id={id} label={label} hint={hint} />
      <textarea
        id={id}
        name={name}
        dir="auto"
        rows={2}
        maxLength={maxLength}
        defaultValue={values?.[name] ?? defaultValue}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy}
        className={`${INPUT} field-sizing-content max-h-80 min-h-22 rounded-md py-2 in-[[dir=rtl]]:text-right ${error ? "border-danger-ink" : "border-line-strong"}`}
      />
      <FieldError id={id} error={error} />
    </div>
  );
}

type ColorFieldProps = {
  name: string;
  label: string;
  hint?: string;
  defaultValue: string;
  /** Stands beside the picker, such as the color's code. */
  children?: ReactNode;
};

/** A color, chosen with the browser's own picker. */
export function ColorField({ name, label, hint, defaultValue, children }: ColorFieldProps) {
  const { values } = useFormState();
  const { id, error, describedBy } = useDescription(name, hint);
  return (
    <div className="grid justify-items-start gap-1.5">
      <FieldLabel id={id} label={label} hint={hint} />
      <div className="flex items-center gap-2">
        <input
          id={id}
          name={name}
          type="color"
          defaultValue={values?.[name] ?? defaultValue}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          className={`h-11 w-20 rounded-md border bg-surface p-1 ${error ? "border-danger-ink" : "border-line-strong"}`}
        />
        {children}
      </div>
      <FieldError id={id} error={error} />
    </div>
  );
}

type CheckboxProps = { name: string; label: string; hint?: ReactNode; defaultChecked?: boolean };

/** A choice that is on or off. */
export function Checkbox({ name, label, hint, defaultChecked = false }: CheckboxProps) {
  const { values } = useFormState();
  const { id, describedBy } = useDescription(name, hint);
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-3">
      <input
        id={id}
        name={name}
        type="checkbox"
        defaultChecked={values ? name in values : defaultChecked}
        aria-describedby={describedBy}
        className="checkbox size-6 pointer-coarse:mt-3.5"
      />
      <div className="grid min-w-0 content-start gap-0.5 pointer-coarse:gap-0">
        {/* As tall as a finger needs where there is one; its first line stands beside the box. */}
        <label htmlFor={id} className="font-medium pointer-coarse:pt-3.5 pointer-coarse:pb-1.5">
          {label}
        </label>
        <Hint id={id} hint={hint} />
      </div>
    </div>
  );
}

/** What stands above an input. */
export function FieldLabel({ id, label, hint }: { id: string; label: string; hint: ReactNode }) {
  return (
    <>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <Hint id={id} hint={hint} />
    </>
  );
}

/** What to type into a field, or why it is asked. */
export function Hint({ id, hint }: { id: string; hint: ReactNode }) {
  if (!hint) return null;
  return (
    <p id={`${id}-hint`} className="text-muted text-sm">
      {hint}
    </p>
  );
}

/** What is wrong with an input, below it. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null;
  return (
    <p id={`${id}-error`} className="font-medium text-danger-ink text-sm">
      {error}
    </p>
  );
}

/** That a secret is to be typed again, below its input. */
export function TypeAgain({ id, again }: { id: string; again: string | undefined }) {
  if (!again) return null;
  return (
    <p id={`${id}-again`} className="font-medium text-sm">
      {again}
    </p>
  );
}

/** What is wrong with a field, as the page (`problem`) or the last try says, what to say of a secret that it lost, and the ids that lead assistive technology to all of it. */
export function useDescription(name: string, hint: ReactNode, problem?: string) {
  const { fieldErrors, again: ofLastTry } = useFormState();
  // Only in a page that was loaded with the try's answer is a secret gone: one that was alive before keeps what was typed.
  const [ofPage] = useState(ofLastTry);
  const again = ofLastTry === ofPage ? ofPage?.[name] : undefined;
  const error = problem ?? fieldErrors?.[name];
  const id = fieldId(name);
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`, again && `${id}-again`].filter(Boolean).join(" ") || undefined;
  return { id, error, again, describedBy };
}
