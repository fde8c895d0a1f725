import { splitEmoji } from "#lib/emoji";

type BoardNameProps = {
  name: string;
  /** Where a `BoardTile` beside it shows the emoji that the name begins with: here it is only read out. */
  besideTile?: boolean;
  /** Two lines have to do. */
  isCut?: boolean;
};

/** A board's name as people wrote it. On an Arabic page a Latin one stands at the right like all else, on several lines, too. */
export function BoardName({ name, besideTile = false, isCut = false }: BoardNameProps) {
  const { emoji, text } = splitEmoji(name);
  const isSplit = besideTile && emoji !== null;
  const words = (
    <>
      {isSplit && <span className="sr-only">{emoji}</span>}
      {isSplit ? text : name}
    </>
  );
  // The dots stand at the end of the box's direction, not of the words'.
  if (isCut) {
    return (
      <span dir="auto" className="line-clamp-2 min-w-0">
        {words}
      </span>
    );
  }
  return (
    <span className="min-w-0">
      <bdi>{words}</bdi>
    </span>
  );
}
