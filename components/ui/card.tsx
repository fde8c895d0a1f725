import type { ReactNode } from "react";

/** A raised sheet for one thing. */
export function Card({ children }: { children: ReactNode }) {
  return <div className="rounded-lg border border-line bg-surface p-5 shadow-low sm:p-6">{children}</div>;
}

/** A sheet that lists things, a line between each. Its children are `li`. */
export function ListCard({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-low">{children}</ul>;
}
