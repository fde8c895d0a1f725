/** The value of a `SwatchField` that says: the color is in the field named `ownColorName`. */
export const OWN_COLOR = "own";

/** The field beside `name` that holds the color of the browser's picker. */
export function ownColorName(name: string): string {
  return `${name}Own`;
}
