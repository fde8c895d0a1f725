import type { ReactNode } from "react";
import { TONES, type Tone } from "./tone.ts";

/** A paragraph that stands out: what just happened, or what stands in the way. */
export function Notice({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return <div className={`rounded-lg border p-4 ${TONES[tone]}`}>{children}</div>;
}
