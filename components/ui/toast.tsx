import type { ReactNode } from "react";

/** What was done, said over the page for a moment: for what changes nothing on it, and nobody misses who does not read it. */
export function Toast({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="fixed inset-x-4 bottom-4 z-30 mx-auto w-fit rounded-md border border-line bg-raised px-4 py-3 shadow-overlay">
      {children}
    </p>
  );
}
