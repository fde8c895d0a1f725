/** The value of a `SwatchField` that says: the color is in the field named `ownColorName`. */
export const OWN_COLOR = "own";

/** The field beside `name` that holds the color of the browser's picker. */
export function ownColorName(name: string): string {
  return `${name}Own`;
}

/** The field beside `name` in which the color's code can be typed. */
export function colorCodeName(name: string): string {
  return `${name}Code`;
}

/** The color of a typed code of three or six digits, with or without its #, as the browser's picker has it; undefined where `code` is none. */
export function colorOfCode(code = ""): string | undefined {
  const [, digits] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(code.trim()) ?? [];
  return digits && `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`.toLowerCase();
}
