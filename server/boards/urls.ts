import { randomInt } from "node:crypto";
import { z } from "zod";
import type { Tx } from "#lib/db";
import { codePointLength } from "#lib/text";

const MAX_URL_LENGTH = 80;
/** Letters (with their marks) and digits of any script, in words joined by single hyphens. */
const URL_PATTERN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(-[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
// What makes a sign or a digit an emoji: invisible in an address, and a different address.
const EMOJI_MARKS = /[\p{Variation_Selector}\p{Me}]/gu;
const NUMBERED_TRIES = 20;

/** A board's address below /boards, as somebody chose it. */
export const boardUrl = z
  .string("must be text")
  .transform((value) => value.normalize("NFC"))
  .superRefine((value, context) => {
    const isUrl = URL_PATTERN.test(value) && value === value.toLowerCase() && codePointLength(value) <= MAX_URL_LENGTH;
    if (!isUrl) context.addIssue({ code: "custom", message: `must be 1 to ${MAX_URL_LENGTH} lower-case letters, digits and single hyphens` });
  })
  .meta({ type: "string", minLength: 1, maxLength: MAX_URL_LENGTH });

/** The address that `name` suggests; empty where it holds no letter and no digit, as with an emoji alone. */
export function urlFromName(name: string): string {
  const words = name.toLowerCase().replace(EMOJI_MARKS, "").normalize("NFC").match(WORD) ?? [];
  return [...words.join("-")]
    .slice(0, MAX_URL_LENGTH - 8)
    .join("")
    .replace(/-$/, "");
}

/** An address for `name` that no board has or had: as it is, else with a number behind it. To be called while no other board can be made. */
export async function freeUrl(tx: Tx, name: string): Promise<string> {
  const suggested = urlFromName(name);
  const numbered = Array.from({ length: NUMBERED_TRIES }, (_, index) => `${suggested}-${index + 2}`);
  const candidates = suggested ? [suggested, ...numbered, withRandomNumber(suggested)] : [withRandomNumber("board"), withRandomNumber("board")];
  const taken = await tx.boardUrl.findMany({ where: { url: { in: candidates } }, select: { url: true } });
  const free = candidates.find((candidate) => !taken.some(({ url }) => url === candidate));
  return free ?? freeUrl(tx, name);
}

function withRandomNumber(words: string): string {
  return `${words}-${randomInt(100_000, 10_000_000)}`;
}
