import { z } from "zod";

/** Our own colors: told apart by color-blind people too, and readable behind white letters at 4.5:1 (WCAG 2.2, 1.4.3). */
export const COLORS = ["2563eb", "0f766e", "b45309", "be123c", "7c3aed", "15803d", "c2410c", "475569"] as const;

/** A color as somebody gives it: six hex digits in any case, which become lower case. */
export const hexColor = z
  .string("must be text")
  .refine((value) => /^[0-9a-f]{6}$/i.test(value), { error: "must be six hexadecimal digits, such as 4f46e5", params: { problem: "color" } })
  .meta({ type: "string", pattern: "^[0-9A-Fa-f]{6}$", description: "Six hexadecimal digits, such as 4f46e5." })
  .toLowerCase();

/** A color as it is stored and answered: six lower-case hex digits without `#`. */
export const hexColorJson = z.string().regex(/^[0-9a-f]{6}$/);

/** One of our own colors, for what nobody chose one for, and none of `taken`, which are fewer than there are. */
export function randomColor(taken: string[]): string {
  const left = COLORS.filter((color) => !taken.includes(color));
  return left[Math.floor(Math.random() * left.length)] as (typeof COLORS)[number];
}

/** The one of our own colors that always goes with `uuid`. */
export function colorOfId(uuid: string): string {
  return COLORS[Number.parseInt(uuid.slice(-4), 16) % COLORS.length] as (typeof COLORS)[number];
}
