import { splitEmoji } from "#lib/emoji";

type BoardTileProps = { name: string; color: string; size?: "small" | "medium" | "large" };

const SIZES = { small: "size-6", medium: "size-11", large: "size-14" };

/** A board's sign: its emoji on a breath of its color, or a dot of the color. Says nothing that the name beside it does not. */
export function BoardTile({ name, color, size = "medium" }: BoardTileProps) {
  const { emoji } = splitEmoji(name);
  return (
    // The color is an attribute, not a style: the page's security policy allows no inline styles.
    <svg aria-hidden="true" viewBox="0 0 44 44" color={`#${color}`} className={`${SIZES[size]} shrink-0`}>
      <rect width="44" height="44" rx="12" className="toned-wash" />
      {emoji ? (
        <text x="22" y="22" dy=".36em" textAnchor="middle" fontSize="22" className="toned">
          {emoji.trim()}
        </text>
      ) : (
        <circle cx="22" cy="22" r="8" className="toned" />
      )}
    </svg>
  );
}
