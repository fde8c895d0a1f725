import { Link } from "./link.tsx";

type SectionNavProps = {
  label: string;
  sections: { href: string; text: string }[];
  /** The address of the one shown. */
  current: string;
};

/** The sections of a page that has too many for one, each with an address of its own. */
export function SectionNav({ label, sections, current }: SectionNavProps) {
  return (
    <nav aria-label={label} className="border-line border-b max-sm:pb-2">
      <ul className="-mb-px grid grid-cols-3 gap-x-1 sm:flex sm:flex-wrap">
        {sections.map(({ href, text }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={href === current ? "page" : undefined}
              className="inline-flex min-h-11 w-full min-w-11 items-center justify-center border-transparent border-b-2 px-2 font-medium text-muted text-sm sm:px-3 forced-colors:border-b-0 hover:border-line-strong hover:text-ink aria-[current]:border-accent-ink aria-[current]:text-ink max-sm:rounded-md max-sm:border-b-0 max-sm:aria-[current]:bg-accent-wash max-sm:aria-[current]:text-accent-ink"
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
