/** What a badge or a notice says of its thing. */
export type Tone = "neutral" | "success" | "warning" | "danger";

/** The classes of a tone: border, surface and ink. */
export const TONES: Record<Tone, string> = {
  neutral: "border-line bg-sunken text-ink",
  success: "border-success-ink/30 bg-success-surface text-success-ink",
  warning: "border-warning-ink/30 bg-warning-surface text-warning-ink",
  danger: "border-danger-ink/30 bg-danger-surface text-danger-ink",
};
