import type { ReactNode } from "react";

/** What belongs here while there is nothing, and what to do about it. */
export function EmptyState({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-2 rounded-lg border border-line-strong/50 border-dashed px-6 py-12 text-center">
      <p className="font-semibold text-lg">{title}</p>
      <p className="max-w-prose text-muted">{text}</p>
      {children && <div className="mt-4 flex flex-wrap justify-center gap-3">{children}</div>}
    </div>
  );
}
