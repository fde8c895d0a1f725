import type { ReactNode } from "react";

/** What a badge says of its thing. */
export type Tone = "neutral" | "success" | "warning" | "danger";

const TONES: Record<Tone, string> = {
  neutral: "border-line bg-sunken text-ink",
  success: "border-success-ink/30 bg-success-surface text-success-ink",
  warning: "border-warning-ink/30 bg-warning-surface text-warning-ink",
  danger: "border-danger-ink/30 bg-danger-surface text-danger-ink",
};

/** A word or two on the state of the thing beside it. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`inline-flex items-center whitespace-nowrap rounded-full border px-2.5 py-0.5 font-medium text-sm ${TONES[tone]}`}>{children}</span>;
}

/** A paragraph that stands out: what just happened, or what stands in the way. */
export function Notice({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return <div className={`rounded-lg border p-4 ${TONES[tone]}`}>{children}</div>;
}
