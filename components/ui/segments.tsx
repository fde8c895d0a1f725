import { Link } from "./link.tsx";

/** One of the views: `count` says how much is in it, as a person reads it. */
export type Segment = { href: string; text: string; isCurrent: boolean; count?: string };

/** A few views of one thing, side by side; the one shown is marked. Real links, for the address holds which it is. */
export function Segments({ label, segments }: { label: string; segments: Segment[] }) {
  return (
    <nav aria-label={label} className="max-w-full">
      <ul className="inline-flex max-w-full flex-wrap gap-0.5 rounded-lg border border-line bg-sunken p-0.5">
        {segments.map(({ href, text, isCurrent, count }) => (
          <li key={href} className="flex">
            <Link
              href={href}
              aria-current={isCurrent ? "true" : undefined}
              className="inline-flex min-h-8 items-center justify-center gap-x-1.5 rounded-md border border-transparent px-2 font-medium max-sm:flex-col text-muted text-sm sm:px-3 hover:text-ink aria-[current]:border-line-strong/50 aria-[current]:bg-raised aria-[current]:text-ink aria-[current]:shadow-low pointer-coarse:min-h-11 pointer-coarse:min-w-11"
            >
              {text}
              {count !== undefined && <span className="font-normal text-muted text-xs tabular-nums">{count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
