import { useTranslations } from "next-intl";
import { plainTextOf } from "#lib/markdown";
import type { Board } from "#server/boards";
import { BoardCard } from "./board-card.tsx";
import { BoardName } from "./board-name.tsx";
import { DottedFacts } from "./dotted-facts.tsx";
import { PrivateBadge } from "./private-badge.tsx";
import { Link } from "./ui/link.tsx";
import { Age } from "./ui/time.tsx";

type BoardListProps = {
  boards: Board[];
  /** Where a board is. */
  pathOf: (board: Board) => string;
};

/** Boards as visitors see them: a card each, with how much is in it and when something last came. Stands below a heading of level 2. */
export function BoardList({ boards, pathOf }: BoardListProps) {
  return (
    <ul className="grid gap-4 md:grid-cols-2">
      {boards.map((board) => (
        <li key={board.boardId} className="min-w-0">
          <BoardCard
            {...board}
            description={plainTextOf(board.description)}
            heading={<CardHeading name={board.name} href={pathOf(board)} />}
            badge={board.isPrivate && <PrivateBadge />}
            facts={<BoardFacts board={board} />}
          />
        </li>
      ))}
    </ul>
  );
}

function CardHeading({ name, href }: { name: string; href: string }) {
  return (
    <h3 className="min-w-0 font-semibold text-lg tracking-tight">
      {/* The link's area is the whole card. */}
      <Link
        href={href}
        className="block underline-offset-4 after:absolute after:inset-0 after:rounded-lg outline-transparent focus-visible:after:outline-2 focus-visible:after:outline-accent-ink focus-visible:after:outline-offset-2 group-hover:underline"
      >
        <BoardName name={name} besideTile isCut />
      </Link>
    </h3>
  );
}

/** How many posts a board has, and when the newest came. */
export function BoardFacts({ board: { postCount, lastPostAt } }: { board: Pick<Board, "postCount" | "lastPostAt"> }) {
  const t = useTranslations("board");
  return (
    <DottedFacts>
      <span className={postCount > 0 ? "font-medium text-ink" : ""}>{t("postCount", { count: postCount })}</span>
      {lastPostAt && <span>{t.rich("newest", { time: () => <Age at={lastPostAt} /> })}</span>}
    </DottedFacts>
  );
}
