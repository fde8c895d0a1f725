/** The value of a `SwatchField` that says: the colour is in the field named `ownColorName`. */
export const OWN_COLOR = "own";

/** The field beside `name` that holds the colour of the browser's picker. */
export function ownColorName(name: string): string {
  return `${name}Own`;
}
