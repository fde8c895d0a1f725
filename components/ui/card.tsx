import type { ReactNode } from "react";

/** A raised sheet for one thing. */
export function Card({ children }: { children: ReactNode }) {
  return <div className="rounded-xl border border-line bg-surface p-5 sm:p-6">{children}</div>;
}

/** A sheet that lists things, a line between each. Its children are `li`. */
export function ListCard({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface">{children}</ul>;
}
