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
    <nav aria-label={label} className="grid grid-cols-2 items-center gap-3 whitespace-nowrap sm:grid-cols-[1fr_auto_1fr]">
      <span className="justify-self-start empty:max-sm:hidden">
        {previous && (
          <ButtonLink href={previous.href} rel={previous.isStart ? undefined : "prev"} kind="secondary">
            {previous.text}
          </ButtonLink>
        )}
      </span>
      <span className={`text-center text-muted text-sm tabular-nums ${positionOnPhone(previous, next)}`}>{position}</span>
      <span className="justify-self-end empty:max-sm:hidden">
        {next && (
          <ButtonLink href={next.href} rel="next" kind="secondary">
            {next.text}
          </ButtonLink>
        )}
      </span>
    </nav>
  );
}

/** Below two links, which it would squeeze; beside one, at the other end. */
function positionOnPhone(previous: PaginationProps["previous"], next: PaginationProps["next"]): string {
  if (previous && next) return "empty:max-sm:hidden max-sm:order-last max-sm:col-span-2";
  return previous ? "max-sm:justify-self-end" : "max-sm:justify-self-start";
}
