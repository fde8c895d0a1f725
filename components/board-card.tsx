import type { ReactNode } from "react";
import { BoardTile } from "./board-tile.tsx";

type BoardCardProps = {
  name: string;
  color: string;
  description: string;
  /** The name as a heading, with a link or without. */
  heading: ReactNode;
  /** Beside the name, such as that it is private. */
  badge?: ReactNode;
  /** The last line: how much is in it, and since when. */
  facts: ReactNode;
};

/** How a board looks among others. */
export function BoardCard({ name, color, description, heading, badge, facts }: BoardCardProps) {
  return (
    <div className="group relative flex h-full min-w-0 gap-4 rounded-lg border border-line bg-surface p-5 shadow-low transition-shadow has-[a]:hover:border-line-strong/60 has-[a]:hover:shadow-raised">
      <BoardTile name={name} color={color} />
      <div className="flex min-w-0 grow flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {heading}
          {badge}
        </div>
        {description && (
          <p dir="auto" className="line-clamp-3 text-muted text-sm">
            {description}
          </p>
        )}
        {/* At the bottom, so that it stands on one line in cards side by side. */}
        <div className="mt-auto pt-1.5 text-muted text-sm tabular-nums">{facts}</div>
      </div>
    </div>
  );
}
