import type { ReactNode } from "react";

/** A thing's name, and what it is. */
export type Fact = { name: string; value: ReactNode };

type FactListProps = {
  facts: Fact[];
  /** In rows names are on one side, values on the other, where there is room; in columns each value is below its name. */
  layout?: "rows" | "columns";
};

const LAYOUTS = {
  rows: { list: "divide-y divide-line", fact: "grid gap-x-6 gap-y-1 py-3 first:pt-0 last:pb-0 sm:grid-cols-[12rem_minmax(0,1fr)]" },
  columns: { list: "grid gap-x-8 gap-y-4 sm:grid-cols-2", fact: "grid content-start justify-items-start gap-0.5" },
};

/** What is known of one thing. */
export function FactList({ facts, layout = "rows" }: FactListProps) {
  const { list, fact } = LAYOUTS[layout];
  return (
    // Three columns where none of them would be left alone in a row.
    <dl className={`${list} ${layout === "columns" && facts.length % 3 !== 1 ? "lg:grid-cols-3" : ""}`}>
      {facts.map(({ name, value }) => (
        <div key={name} className={fact}>
          <dt className="text-muted text-sm">{name}</dt>
          <dd className="min-w-0 max-w-full">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
