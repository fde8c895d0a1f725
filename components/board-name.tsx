import { splitEmoji } from "#lib/emoji";

type BoardNameProps = {
  name: string;
  /** Where a `BoardTile` beside it shows the emoji that the name begins with: here it is only read out. */
  besideTile?: boolean;
};

/** A board's name as people wrote it. On an Arabic page a Latin one stands at the right like all else, on several lines, too. */
export function BoardName({ name, besideTile = false }: BoardNameProps) {
  const { emoji, text } = splitEmoji(name);
  const isSplit = besideTile && emoji !== null;
  return (
    <span className="min-w-0">
      <bdi>
        {isSplit && <span className="sr-only">{emoji}</span>}
        {isSplit ? text : name}
      </bdi>
    </span>
  );
}
