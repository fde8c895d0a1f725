import { Link } from "./ui/link.tsx";
import { ScrollRow } from "./ui/scroll-row.tsx";

type SectionNavProps = {
  label: string;
  sections: { href: string; text: string }[];
  /** The address of the one shown. */
  current: string;
};

/** The sections of a page that has too many for one, each with an address of its own. */
export function SectionNav({ label, sections, current }: SectionNavProps) {
  return (
    <nav aria-label={label} className="min-w-0 border-line border-b">
      <ScrollRow current={current} className="-mb-px flex gap-x-1">
        {sections.map(({ href, text }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={href === current ? "page" : undefined}
              className="inline-flex min-h-11 w-full min-w-11 items-center justify-center border-transparent border-b-2 px-3 font-medium text-muted text-sm -outline-offset-2 hover:border-line-strong hover:text-ink aria-[current]:border-accent-ink aria-[current]:text-ink"
            >
              {text}
            </Link>
          </li>
        ))}
      </ScrollRow>
    </nav>
  );
}
