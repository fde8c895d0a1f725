import { z } from "zod";

type Bounds = {
  /** Least number of Unicode code points after trimming. */
  min?: number;
  /** Most code points. */
  max: number;
};

// Cc: control characters, of which PostgreSQL refuses NUL and mail headers must refuse CR and LF. Zl, Zp: Unicode's own line breaks.
const CONTROL_CHARACTER = /[\p{Cc}\p{Zl}\p{Zp}]/u;
// A name of these, such as the zero-width space, would show as nothing.
const NOTHING_VISIBLE = /^[\p{Default_Ignorable_Code_Point}\s]+$/u;

/** One line of text in any script, trimmed and NFC-normalised; empty where nothing of it can be seen. Lengths count Unicode code points. */
export function boundedText({ min = 0, max }: Bounds) {
  return z
    .string("must be text")
    .transform((value) => (NOTHING_VISIBLE.test(value) ? "" : value.normalize("NFC").trim()))
    .superRefine((value, context) => {
      const problem = textProblem(value, { min, max });
      if (problem) context.addIssue({ code: "custom", message: problem });
    })
    .meta({ type: "string", minLength: min, maxLength: max });
}

/** The number of Unicode code points in `value`: what a person would call its length, as far as one number can. */
export function codePointLength(value: string): number {
  return [...value].length;
}

function textProblem(value: string, { min = 0, max }: Bounds): string | null {
  // A lone surrogate has no UTF-8 form: it would be stored as another character than the one sent.
  if (!value.isWellFormed()) return "holds half of a character; send it whole";
  if (CONTROL_CHARACTER.test(value)) return "must be a single line without control characters";
  const length = codePointLength(value);
  if (length < min) return min === 1 ? "must not be empty" : `must have at least ${min} characters`;
  if (length > max) return `must have at most ${max} characters (it has ${length})`;
  return null;
}
