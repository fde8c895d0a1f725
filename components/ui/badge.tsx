import type { ReactNode } from "react";
import { TONES, type Tone } from "./tone.ts";

/** A word or two on the state of the thing beside it. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`inline-flex items-center whitespace-nowrap rounded-full border px-2.5 py-0.5 font-medium text-sm ${TONES[tone]}`}>{children}</span>;
}
