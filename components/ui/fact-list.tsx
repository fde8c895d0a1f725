import type { ReactNode } from "react";

/** What is known of one thing, each fact below its name. */
export function FactList({ facts }: { facts: { name: string; value: ReactNode }[] }) {
  return (
    <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
      {facts.map(({ name, value }) => (
        <div key={name} className="grid content-start justify-items-start gap-0.5">
          <dt className="text-muted text-sm">{name}</dt>
          <dd className="min-w-0 max-w-full">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
