// An emoji, a flag or a keycap at the very beginning.
const EMOJI = String.raw`(?:\p{RI}\p{RI}|[\d#*]\ufe0f?\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{EMod}|\u200d\p{Extended_Pictographic})*)`;
const EMOJI_AND_TEXT = new RegExp(`^(${EMOJI}\\s+)(.+)$`, "su");
const LEADING_EMOJI = new RegExp(`^(${EMOJI})(?:\\s+|$)`, "u");

/** `text` in two: the emoji that it begins with, with the space that must follow it, and the rest. Without either it stays whole. */
export function splitEmoji(text: string): { emoji: string | null; text: string } {
  const [, emoji = null, rest = text] = EMOJI_AND_TEXT.exec(text) ?? [];
  return { emoji, text: rest };
}

/** The emoji that what is typed of a text begins with; empty: none. */
export function leadingEmoji(typed: string): string {
  return LEADING_EMOJI.exec(typed)?.[1] ?? "";
}

/** `text` beginning with `emoji` instead of the one it begins with, if any; empty: with none. */
export function withEmoji(text: string, emoji: string): string {
  const rest = text.replace(LEADING_EMOJI, "");
  return emoji ? `${emoji} ${rest}` : rest;
}
