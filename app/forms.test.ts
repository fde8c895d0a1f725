import { expect, test } from "vitest";
import { MESSAGES } from "#messages/all.ts";
import { colorOf } from "./forms.ts";

/** What a form says of a color: what its picker has, and what was typed as its code. */
function chosen(picker: string, code?: string): string {
  const form = new FormData();
  form.set("accentColor", picker);
  if (code !== undefined) form.set("accentColorCode", code);
  return colorOf(form, "accentColor");
}

test.for(Object.entries(MESSAGES))("no name that an error calls a field by says that it may be left empty: %s", ([, { fields }]) => {
  const names = Object.entries(fields).filter(([field]) => !field.endsWith("Optional"));

  expect(names.filter(([, name]) => /optional|اختياري/.test(String(name)))).toEqual([]);
});

test("a color is the picker's, which a code leads", () => {
  expect([chosen("#0f6b7c"), chosen("#0f6b7c", "#0f6b7c"), chosen("#bb0022", "#B02"), chosen("#bb0022", " bb0022 ")]).toEqual([
    "0f6b7c",
    "0f6b7c",
    "bb0022",
    "bb0022",
  ]);
});

test.for(["red", "", "#12345", "#1234567", "0f6b7g"])("what is no code is what is refused: %j", (code) => {
  expect(chosen("#0f6b7c", code)).toBe(code.replace("#", ""));
});
