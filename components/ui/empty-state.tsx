import type { ReactNode } from "react";

type EmptyStateProps = {
  /** None where something above says it. */
  title?: string;
  text: string;
  /** There is nothing else on the page: the title is the page's. */
  isPage?: boolean;
  children?: ReactNode;
};

/** What belongs here while there is nothing, and what to do about it. */
export function EmptyState({ title, text, isPage = false, children }: EmptyStateProps) {
  const Title = isPage ? "h1" : "p";
  return (
    <div className="grid justify-items-center gap-2 rounded-lg border border-line-strong/50 border-dashed px-6 py-12 text-center">
      {title && <Title className="font-semibold text-lg">{title}</Title>}
      <p className="max-w-prose text-balance text-muted">{text}</p>
      {children && <div className="mt-4 flex flex-wrap justify-center gap-3">{children}</div>}
    </div>
  );
}
