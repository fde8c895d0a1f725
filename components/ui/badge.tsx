import type { ReactNode } from "react";
import { TONES, type Tone } from "./tone.ts";

/** A word or two on the state of the thing beside it. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center whitespace-nowrap gap-1 rounded-full border px-2 py-px font-medium text-xs ${TONES[tone]}`}>{children}</span>
  );
}
