/** How much a button asks for attention. */
export type ButtonKind = "primary" | "secondary" | "quiet" | "danger";

const SHAPE = "inline-flex min-h-11 items-center justify-center gap-2 rounded-md px-4 text-center font-medium";

const KINDS: Record<ButtonKind, string> = {
  primary: "bg-accent text-on-accent hover:brightness-110",
  secondary: "border border-line-strong bg-surface text-ink hover:bg-sunken",
  quiet: "text-ink underline-offset-4 hover:bg-sunken",
  danger: "bg-danger text-on-accent hover:brightness-110",
};

/** The classes of whatever looks like a button: a button, or a link that leads to a form. */
export function buttonStyle(kind: ButtonKind = "primary"): string {
  return `${SHAPE} ${KINDS[kind]}`;
}
