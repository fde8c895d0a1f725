/** How much a button asks for attention. */
export type ButtonKind = "primary" | "secondary" | "quiet" | "danger" | "outlined-danger";

// Tall enough for a pointer, and for a finger where there is one. Narrow places do not break its words apart. The border of those that show none is what
// there is to see of them where the system chooses the colors.
const SHAPE =
  "inline-flex min-h-10 items-center justify-center gap-2 wrap-break-word rounded-md border px-4 py-2 text-center font-semibold text-sm transition-colors pointer-coarse:min-h-11";

const KINDS: Record<ButtonKind, string> = {
  primary: "border-transparent bg-accent text-on-accent shadow-low hover:brightness-110",
  secondary: "border-line-strong/60 bg-surface text-ink shadow-low hover:border-line-strong hover:bg-sunken",
  quiet: "border-transparent text-ink hover:bg-sunken",
  "outlined-danger": "border-danger-ink/50 bg-surface text-danger-ink shadow-low hover:border-danger-ink hover:bg-danger-surface",
  danger: "border-transparent bg-danger text-on-accent shadow-low hover:brightness-110",
};

/** The classes of whatever looks like a button: a button, or a link that leads to a form. */
export function buttonStyle(kind: ButtonKind = "primary"): string {
  return `${SHAPE} ${KINDS[kind]}`;
}
