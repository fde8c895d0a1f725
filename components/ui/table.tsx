import type { ReactNode } from "react";

type TableProps = {
  /** What the table lists, for who cannot see where it stands. */
  caption: string;
  /** The columns' names, in order. */
  head: string[];
  /** The rows: `TableRow`. */
  children: ReactNode;
};

/** Facts about many things of a kind. Where there is no room for columns, each row is a card. */
export function Table({ caption, head, children }: TableProps) {
  return (
    <div className="md:overflow-hidden md:rounded-lg md:border md:border-line md:bg-surface md:shadow-low">
      <table className="w-full max-md:block">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-line border-b bg-sunken/60 max-md:sr-only">
          <tr>
            {head.map((name) => (
              <th key={name} scope="col" className="whitespace-nowrap px-4 py-2 text-start font-medium text-muted text-xs first:ps-5 last:pe-5">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-md:grid max-md:gap-3 max-md:divide-y-0">{children}</tbody>
      </table>
    </div>
  );
}

/** A row of a `Table`. Its children are one `TableHead` and as many `TableCell`s as there are further columns. */
export function TableRow({ children }: { children: ReactNode }) {
  return (
    <tr className="hover:bg-sunken/40 max-md:relative max-md:grid max-md:grid-cols-2 max-md:gap-x-4 max-md:gap-y-1 max-md:rounded-lg max-md:border max-md:border-line max-md:bg-surface max-md:p-4 max-md:shadow-low">
      {children}
    </tr>
  );
}

/** What a row is about. */
export function TableHead({ children }: { children: ReactNode }) {
  return (
    <th scope="row" className="px-4 py-3 text-start font-normal first:ps-5 max-md:col-span-2 max-md:mb-2 max-md:p-0 max-md:first:ps-0">
      {children}
    </th>
  );
}

/** One fact of a row; `name` is its column's, which a card repeats. */
export function TableCell({ name, children }: { name: string; children: ReactNode }) {
  return (
    <td className="px-4 py-3 text-sm last:pe-5 max-md:flex max-md:flex-wrap max-md:items-baseline max-md:gap-x-2 max-md:p-0 max-md:last:pe-0">
      <span aria-hidden="true" className="text-muted text-xs md:hidden">
        {name}
      </span>
      {children}
    </td>
  );
}
