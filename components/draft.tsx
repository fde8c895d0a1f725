"use client";

import { useEffect, useRef } from "react";
import { keepInTab, readTab } from "./tab-storage.ts";

type DraftProps = {
  /** Under which name this tab keeps it. */
  name: string;
};

/** Keeps what is typed into the form around it, but for passwords, in this tab: a page that is loaded again, or came back from a crash, still has it. */
export function Draft({ name }: DraftProps) {
  const place = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    const form = place.current?.closest("form");
    if (!form) return;
    restore(form, readTab(placeOf(name)));
    const keep = () => keepInTab(placeOf(name), JSON.stringify(typedInto(form)));
    form.addEventListener("input", keep);
    return () => form.removeEventListener("input", keep);
  }, [name]);

  return <span ref={place} hidden />;
}

/** Stands where a form leads: what `Draft` kept under this name is not needed any more. */
export function DraftDone({ name }: DraftProps) {
  useEffect(() => keepInTab(placeOf(name), null), [name]);
  return null;
}

function placeOf(name: string): string {
  return `heard-draft-${name}`;
}

type Typed = Record<string, string | boolean>;

function fieldsOf(form: HTMLFormElement): HTMLInputElement[] {
  // A password that is shown is a text to the browser; what it is for does not change.
  const isSecret = ({ type, autocomplete }: HTMLInputElement) => type === "password" || autocomplete.endsWith("password");
  const fields = [...form.querySelectorAll<HTMLInputElement>("input[name], textarea[name]")];
  return fields.filter((field) => field.type !== "hidden" && field.type !== "file" && !isSecret(field));
}

/** A box that is ticked, or a button of several that is pressed, by its name and value; a text by its name. */
function keyOf({ type, name, value }: HTMLInputElement): string {
  return type === "radio" ? `${name}=${value}` : name;
}

function isSwitch({ type }: HTMLInputElement): boolean {
  return type === "checkbox" || type === "radio";
}

function typedInto(form: HTMLFormElement): Typed {
  return Object.fromEntries(fieldsOf(form).map((field) => [keyOf(field), isSwitch(field) ? field.checked : field.value]));
}

function restore(form: HTMLFormElement, stored: string | null): void {
  const typed = parseTyped(stored);
  if (!typed) return;
  for (const field of fieldsOf(form)) {
    const value = typed[keyOf(field)];
    if (typeof value === "boolean") field.checked = value;
    else if (typeof value === "string") field.value = value;
  }
  form.dispatchEvent(new Event("input", { bubbles: true }));
}

/** What an earlier page kept; null for nothing, or for what somebody else wrote there. */
function parseTyped(stored: string | null): Typed | null {
  try {
    return JSON.parse(stored ?? "null");
  } catch {
    return null;
  }
}
