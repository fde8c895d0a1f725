import type { ReactNode } from "react";

/** A word of code within a sentence, such as a variable or a file: left to right in every language, and on one line where it has room. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <code dir="ltr" className="wrap-anywhere inline-block max-w-full rounded-sm bg-ink/6 px-0.5 text-[0.875em] text-ink">
      {children}
    </code>
  );
}
