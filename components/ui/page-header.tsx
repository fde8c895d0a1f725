import type { ReactNode } from "react";
import { Link } from "./link.tsx";

/** A page above the one shown. */
export type Crumb = { href: string; text: string };

type PageHeaderProps = {
  title: ReactNode;
  /** A picture in front of the title. */
  sign?: ReactNode;
  /** One line on what the page is for. */
  intro?: ReactNode;
  /** The pages above, the topmost first. */
  crumbs?: Crumb[];
  crumbsLabel?: string;
  /** What can be done from here. */
  children?: ReactNode;
};

/** The top of a page: where it is, what it is, and its main action. */
export function PageHeader({ title, sign, intro, crumbs = [], crumbsLabel, children }: PageHeaderProps) {
  return (
    <header className="grid gap-3">
      {crumbs.length > 0 && <Breadcrumbs crumbs={crumbs} label={crumbsLabel} />}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="flex min-w-0 items-start gap-4">
          {sign}
          <div className="grid min-w-0 gap-1.5">
            <h1 className="font-semibold text-3xl">{title}</h1>
            {intro && <div className="max-w-prose text-pretty text-muted">{intro}</div>}
          </div>
        </div>
        {children && <div className="flex flex-wrap gap-3">{children}</div>}
      </div>
    </header>
  );
}

function Breadcrumbs({ crumbs, label }: { crumbs: Crumb[]; label?: string }) {
  return (
    <nav aria-label={label}>
      <ol className="flex flex-wrap gap-x-2 text-sm">
        {crumbs.map(({ href, text }) => (
          <li key={href} className="flex min-w-0 items-center gap-2 not-first:before:text-muted not-first:before:content-['/'/'']">
            <Link
              href={href}
              className="inline-flex min-h-8 items-center text-muted underline underline-offset-4 hover:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11"
            >
              <bdi>{text}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
