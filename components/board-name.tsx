type BoardNameProps = { name: string; color: string };

/** A board's name beside the dot of its colour. The colour says nothing that the name does not. */
export function BoardName({ name, color }: BoardNameProps) {
  return (
    <span className="inline-flex min-w-0 items-baseline gap-2.5">
      {/* The fill is an attribute, not a style: the page's security policy allows no inline styles. */}
      <svg aria-hidden="true" viewBox="0 0 12 12" className="size-[0.7em] shrink-0">
        <circle cx="6" cy="6" r="6" fill={`#${color}`} />
      </svg>
      <bdi className="min-w-0">{name}</bdi>
    </span>
  );
}
