"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { Link } from "./ui/link.tsx";

/** A part of the dashboard. */
export type DashboardPart = { href: string; text: string; icon: ReactNode };

/** The parts of the dashboard; the one that the page is in is marked. A column beside the page, a row above it where there is no room. */
export function DashboardNav({ label, parts }: { label: string; parts: DashboardPart[] }) {
  const path = usePathname();
  const [current] = parts.filter(({ href }) => path === href || path.startsWith(`${href}/`)).toSorted((a, b) => b.href.length - a.href.length);
  return (
    <nav aria-label={label} className="min-w-0 max-lg:border-line max-lg:border-b max-lg:pb-3 lg:sticky lg:top-8 lg:self-start">
      <ul className="flex flex-wrap gap-1 lg:flex-col">
        {parts.map(({ href, text, icon }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={current?.href === href ? "page" : undefined}
              className="inline-flex min-h-10 w-full items-center gap-2.5 rounded-md px-3 font-medium text-muted text-sm hover:bg-sunken hover:text-ink aria-[current]:bg-accent-wash aria-[current]:text-accent-ink pointer-coarse:min-h-11"
            >
              {icon}
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
