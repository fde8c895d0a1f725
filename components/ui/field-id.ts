/** The id of a form's field, which its label and the error summary lead to. */
export function fieldId(name: string): string {
  return `field-${name.replaceAll(".", "-")}`;
}
