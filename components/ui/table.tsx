import type { ReactNode } from "react";

/** A column: its name and how it is drawn. */
export type Column = {
  name: string;
  /** Its numbers end below each other. */
  isNumber?: boolean;
  /** Can be done without where the columns have little room. A card shows it. */
  isSpare?: boolean;
};

type TableProps = {
  /** What the table lists, for who cannot see where it stands. */
  caption: string;
  /** The columns, in order; where a name says all, that. */
  head: (string | Column)[];
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
            {head.map(columnOf).map(({ name, ...column }) => (
              <th
                key={name}
                scope="col"
                data-spare={column.isSpare}
                className={`whitespace-nowrap px-4 py-2 font-medium text-muted text-xs first:ps-5 last:pe-5 ${drawnAs(column)}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-md:grid max-md:grid-cols-1 max-md:gap-3 max-md:divide-y-0">{children}</tbody>
      </table>
    </div>
  );
}

/** A row of a `Table`. Its children are one `TableHead` and as many `TableCell`s as there are further columns. */
export function TableRow({ children }: { children: ReactNode }) {
  return (
    <tr className="hover:bg-sunken/40 max-md:relative max-md:grid max-md:grid-cols-2 max-md:gap-x-4 max-md:gap-y-2 max-md:rounded-lg max-md:border max-md:border-line max-md:bg-surface max-md:p-4 max-md:shadow-low">
      {children}
    </tr>
  );
}

type FigureTableProps = {
  caption: string;
  /** What a row is about, then what its figures count. */
  head: string[];
  /** Each with as many figures as there are columns beside the first. */
  rows: { name: string; figures: string[] }[];
};

/** Figures to be compared, in a `Card`: a table where there is little room, too, which goes to the card's edges then and scrolls where its headings are longer than that. */
export function FigureTable({ caption, head, rows }: FigureTableProps) {
  // Digits run left to right in every language: places stand below each other at the right.
  const cell = "px-1 py-2 text-right tabular-nums first:ps-5 first:text-start last:pe-5 sm:px-4";
  const sheet = "more-aside overflow-x-auto rounded-lg border border-line bg-surface max-sm:-mx-5 max-sm:rounded-none max-sm:border-x-0";
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be reached by keyboard (WCAG 2.1.1), and not every browser sees to it by itself.
    <section aria-label={caption} tabIndex={0} className={sheet}>
      <table className="w-full wrap-normal text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-line border-b bg-sunken/60">
          <tr>
            {head.map((name) => (
              <th key={name} scope="col" className={`${cell} align-bottom font-medium text-muted text-xs`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ name, figures }) => (
            <tr key={name} className="hover:bg-sunken/40">
              <th scope="row" className={`${cell} whitespace-nowrap font-normal`}>
                {name}
              </th>
              {figures.map((figure, column) => (
                <td key={head[column + 1]} className={cell}>
                  {figure}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function columnOf(column: string | Column): Column {
  return typeof column === "string" ? { name: column } : column;
}

function drawnAs({ isNumber, isSpare }: Omit<Column, "name">): string {
  // Where the last column is left out, the one before it keeps the distance from the edge.
  return `md:max-lg:has-[+[data-spare]]:pe-5 ${isNumber ? "text-start md:text-right" : "text-start"} ${isSpare ? "md:max-lg:hidden" : ""}`;
}

type TableHeadProps = {
  children: ReactNode;
  /** Whether it takes the room that the other columns leave, and is cut where that is too little. */
  isElastic?: boolean;
};

/** What a row is about. */
export function TableHead({ children, isElastic = false }: TableHeadProps) {
  return (
    <th
      scope="row"
      className={`px-4 py-3 text-start font-normal first:ps-5 max-md:col-span-2 max-md:mb-2 max-md:min-w-0 max-md:p-0 max-md:first:ps-0 ${isElastic ? "md:w-full md:max-w-0" : ""}`}
    >
      {children}
    </th>
  );
}

/** One fact of a row; on a card its column's name stands above it. */
export function TableCell({ name, children, ...column }: Column & { children: ReactNode }) {
  return (
    <td
      data-spare={column.isSpare}
      className={`px-4 py-3 text-sm last:pe-5 max-md:grid max-md:content-start max-md:gap-0.5 max-md:justify-items-start max-md:p-0 max-md:last:pe-0 md:whitespace-nowrap ${drawnAs(column)}`}
    >
      <span aria-hidden="true" className="text-muted text-xs md:hidden">
        {name}
      </span>
      {children}
    </td>
  );
}
