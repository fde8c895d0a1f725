import { splitEmoji } from "#lib/emoji";

type BoardNameProps = {
  name: string;
  /** Where a `BoardTile` beside it shows the emoji that the name begins with: here it is only read out. */
  besideTile?: boolean;
};

/** A board's name as people wrote it. */
export function BoardName({ name, besideTile = false }: BoardNameProps) {
  const { emoji, text } = splitEmoji(name);
  if (!besideTile || !emoji) return <bdi className="min-w-0">{name}</bdi>;
  return (
    <bdi className="min-w-0">
      <span className="sr-only">{emoji}</span>
      {text}
    </bdi>
  );
}
