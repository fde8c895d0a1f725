"use client";

import { usePathname } from "next/navigation";
import { Link } from "./ui/link.tsx";

/** A part of the dashboard. */
export type DashboardPart = { href: string; text: string };

/** The parts of the dashboard; the one that the page is in is marked. */
export function DashboardNav({ label, parts }: { label: string; parts: DashboardPart[] }) {
  const path = usePathname();
  const [current] = parts.filter(({ href }) => path === href || path.startsWith(`${href}/`)).toSorted((a, b) => b.href.length - a.href.length);
  return (
    <nav aria-label={label} className="-mx-3">
      <ul className="flex flex-wrap gap-1">
        {parts.map(({ href, text }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={current?.href === href ? "page" : undefined}
              className="inline-flex min-h-11 items-center rounded-md px-3 text-muted hover:bg-sunken hover:text-ink aria-[current]:bg-sunken aria-[current]:font-semibold aria-[current]:text-ink"
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
