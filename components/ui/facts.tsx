import type { ReactNode } from "react";

/** A thing's name, and what it is. */
export type Fact = { name: string; value: ReactNode };

/** Facts in rows: names on one side, values on the other; below each other where there is no room. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className="divide-y divide-line">
      {facts.map(({ name, value }) => (
        <div key={name} className="grid gap-x-6 gap-y-1 py-3 first:pt-0 last:pb-0 sm:grid-cols-[12rem_minmax(0,1fr)]">
          <dt className="text-muted text-sm">{name}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
