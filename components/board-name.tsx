import { splitEmoji } from "#lib/emoji";

type BoardNameProps = {
  name: string;
  /** Where a `BoardTile` beside it shows the emoji that the name begins with: here it is only read out. */
  besideTile?: boolean;
};

/** A board's name as people wrote it, which begins where the page's own words do. */
export function BoardName({ name, besideTile = false }: BoardNameProps) {
  const { emoji, text } = splitEmoji(name);
  const isSplit = besideTile && emoji;
  return (
    <span className="min-w-0">
      <bdi>
        {isSplit && <span className="sr-only">{emoji}</span>}
        {isSplit ? text : name}
      </bdi>
    </span>
  );
}
