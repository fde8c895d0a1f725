import { useTranslations } from "next-intl";
import type { Board } from "#server/boards";
import { BoardName } from "./board-name.tsx";
import { Badge } from "./ui/badge.tsx";
import { ListCard } from "./ui/card.tsx";
import { Link } from "./ui/link.tsx";
import { Time } from "./ui/time.tsx";

/** Boards as visitors see them: one row each, with how much is in it. */
export function BoardList({ boards }: { boards: Board[] }) {
  const t = useTranslations("board");
  return (
    <ListCard>
      {boards.map((board) => (
        <li key={board.boardId} className="relative grid gap-1 px-5 py-4 hover:bg-sunken sm:flex sm:items-baseline sm:justify-between sm:gap-6">
          <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
            <h2 className="min-w-0 font-semibold text-lg">
              {/* The link's area is the whole row. */}
              <Link href={boardPath(board)} className="underline-offset-4 after:absolute after:inset-0 hover:underline">
                <BoardName name={board.name} color={board.color} />
              </Link>
            </h2>
            {board.isPrivate && <Badge>{t("private")}</Badge>}
          </div>
          <p className="flex shrink-0 flex-wrap gap-x-4 text-muted text-sm tabular-nums">
            <span>{t("postCount", { count: board.postCount })}</span>
            <span>{t.rich("since", { time: () => <Time at={board.createdAt} /> })}</span>
          </p>
        </li>
      ))}
    </ListCard>
  );
}

/** Where a board is. */
export function boardPath({ url }: Pick<Board, "url">): string {
  return `/boards/${encodeURIComponent(url)}`;
}
