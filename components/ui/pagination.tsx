import { ButtonLink } from "./link.tsx";

type PageLink = { href: string; text: string };

type PaginationProps = {
  label: string;
  previous?: PageLink | null;
  next?: PageLink | null;
  /** Where in the list this is, such as "Page 2 of 7". */
  position?: string;
};

/** Real links to the pages before and behind. Nothing where there is one page only. */
export function Pagination({ label, previous, next, position }: PaginationProps) {
  if (!previous && !next) return null;
  return (
    <nav aria-label={label} className="flex flex-wrap items-center justify-between gap-3">
      {previous ? (
        <ButtonLink href={previous.href} rel="prev" kind="secondary">
          {previous.text}
        </ButtonLink>
      ) : (
        <span />
      )}
      {position && <span className="text-muted text-sm tabular-nums">{position}</span>}
      {next ? (
        <ButtonLink href={next.href} rel="next" kind="secondary">
          {next.text}
        </ButtonLink>
      ) : (
        <span />
      )}
    </nav>
  );
}
