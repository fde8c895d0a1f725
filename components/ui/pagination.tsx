import { ButtonLink } from "./link.tsx";

/** `isStart`: it leads back to where the list begins, and not to the page before. */
type PageLink = { href: string; text: string; isStart?: boolean };

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
    <nav aria-label={label} className="grid grid-cols-[1fr_auto_1fr] items-center gap-3">
      <span className="justify-self-start">
        {previous && (
          <ButtonLink href={previous.href} rel={previous.isStart ? undefined : "prev"} kind="secondary">
            {previous.text}
          </ButtonLink>
        )}
      </span>
      <span className="text-center text-muted text-sm tabular-nums">{position}</span>
      <span className="justify-self-end">
        {next && (
          <ButtonLink href={next.href} rel="next" kind="secondary">
            {next.text}
          </ButtonLink>
        )}
      </span>
    </nav>
  );
}
