import type { ReactNode } from "react";

/** Facts in a row, with a dot between two of them. Each brings the dot before it, and the row's edge hides it where a line begins: none dangles. */
export function DottedFacts({ children }: { children: ReactNode }) {
  return (
    <span className="block min-w-0 overflow-x-clip">
      <span className="-ms-5 flex flex-wrap *:relative *:ps-5 *:before:absolute *:before:start-2 *:before:content-['·'/'']">{children}</span>
    </span>
  );
}
