import { z } from "zod";

type Bounds = {
  /** Least number of Unicode code points after trimming. */
  min?: number;
  /** Most code points. */
  max: number;
  /** How `errors.problems` calls it that nothing was typed. */
  emptyProblem?: EmptyProblem;
};

type EmptyProblem = "empty" | "noName" | "noSiteTitle" | "noBoardName";

/** Composing makes one character of at most four, each of one or two UTF-16 units. */
const MOST_UNITS = 8;

// Cc: control characters, of which PostgreSQL refuses NUL and mail headers must refuse CR and LF. Zl, Zp: Unicode's own line breaks.
const CONTROL_CHARACTER = /[\p{Cc}\p{Zl}\p{Zp}]/u;
// A name of these, such as the zero-width space, would show as nothing.
const NOTHING_VISIBLE = /^[\p{Default_Ignorable_Code_Point}\s]+$/u;

/** One line of text in any script, trimmed and NFC-normalized; empty where nothing of it can be seen. Lengths count Unicode code points. */
export function boundedText({ min = 0, max, emptyProblem }: Bounds) {
  return z
    .string("must be text")
    .transform((value) => (NOTHING_VISIBLE.test(value) ? "" : normalized(value.trim(), max)))
    .superRefine((value, context) => {
      const problem = textProblem(value, { min, max, emptyProblem });
      if (problem) context.addIssue({ code: "custom", ...problem });
    })
    .meta({ type: "string", minLength: min, maxLength: max });
}

/**
 * `value` in NFC, where that can still have at most `max` characters; else as it is. Of marks in disorder the time that normalizing takes
 * grows with their number's square: 80,000 of them would hold up the process for a quarter of a minute.
 */
export function normalized(value: string, max: number): string {
  return value.length > max * MOST_UNITS ? value : value.normalize("NFC");
}

/** The number of Unicode code points in `value`: what a person would call its length, as far as one number can. */
export function codePointLength(value: string): number {
  return [...value].length;
}

/** `text` on one line, trimmed, and cut after `max` units, or before a character that would not be whole: for the words of others, which may be of any shape and length. */
export function oneLine(text: string, max: number): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, "");
}

/** What is wrong with a text: in English for programs, and by name, with its numbers, for pages to say in the reader's language (`errors.problems`). */
type TextProblem = { message: string; params: { problem: "broken" | "line" | EmptyProblem | "tooShort" | "tooLong"; min?: number; max?: number } };

function textProblem(value: string, { min = 0, max, emptyProblem = "empty" }: Bounds): TextProblem | null {
  // A lone surrogate has no UTF-8 form: it would be stored as another character than the one sent.
  if (!value.isWellFormed()) return { message: "holds half of a character; send it whole", params: { problem: "broken" } };
  if (CONTROL_CHARACTER.test(value)) return { message: "must be a single line without control characters", params: { problem: "line" } };
  const length = codePointLength(value);
  if (length < min && min === 1) return { message: "must not be empty", params: { problem: emptyProblem } };
  if (length < min) return { message: `must have at least ${min} characters`, params: { problem: "tooShort", min } };
  if (length > max) return { message: `must have at most ${max} characters (it has ${length})`, params: { problem: "tooLong", max } };
  return null;
}
