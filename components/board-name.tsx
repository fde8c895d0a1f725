type BoardNameProps = {
  name: string;
  /** Where a `BoardTile` beside it shows the emoji that the name begins with: here it is only read out. */
  besideTile?: boolean;
};

// An emoji, a flag or a keycap at the very beginning.
const EMOJI = String.raw`(?:\p{RI}\p{RI}|[\d#*]\ufe0f?\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{EMod}|\u200d\p{Extended_Pictographic})*)`;
const EMOJI_AND_TEXT = new RegExp(`^(${EMOJI}\\s+)(.+)$`, "su");
const LEADING_EMOJI = new RegExp(`^(${EMOJI})(?:\\s+|$)`, "u");

/** A board's name as people wrote it. */
export function BoardName({ name, besideTile = false }: BoardNameProps) {
  const { emoji, text } = splitBoardName(name);
  if (!besideTile || !emoji) return <bdi className="min-w-0">{name}</bdi>;
  return (
    <bdi className="min-w-0">
      <span className="sr-only">{emoji}</span>
      {text}
    </bdi>
  );
}

/** A board's name in two: the emoji that it begins with, which a space must follow, and the rest. Without either the name stays whole. */
export function splitBoardName(name: string): { emoji: string | null; text: string } {
  const [, emoji = null, text = name] = EMOJI_AND_TEXT.exec(name) ?? [];
  return { emoji, text };
}

/** The emoji that what is typed of a name begins with; empty: none. */
export function emojiOfName(typed: string): string {
  return LEADING_EMOJI.exec(typed)?.[1] ?? "";
}

/** `name` beginning with `emoji` instead of the one it begins with, if any; empty: with none. */
export function withEmoji(name: string, emoji: string): string {
  const text = name.replace(LEADING_EMOJI, "");
  return emoji ? `${emoji} ${text}` : text;
}
