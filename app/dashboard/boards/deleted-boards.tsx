import { useTranslations } from "next-intl";
import { BoardName } from "#components/board-name";
import { BoardTile } from "#components/board-tile";
import { DottedFacts } from "#components/dotted-facts";
import { ListCard } from "#components/ui/card";
import { Time } from "#components/ui/time";
import type { listDeletedBoards } from "#server/boards/deletion";
import { RestoreForm } from "./restore-form.tsx";

type DeletedBoard = Awaited<ReturnType<typeof listDeletedBoards>>[number];

/** The boards that can be brought back. */
export function DeletedBoards({ boards }: { boards: DeletedBoard[] }) {
  const t = useTranslations("boards.deleted");
  return (
    <section aria-labelledby="deleted" className="grid gap-4">
      <div className="grid gap-1">
        <h2 id="deleted" className="font-semibold text-xl">
          {t("title")}
        </h2>
        <p className="text-muted">{t("text")}</p>
      </div>
      <ListCard>
        {boards.map((board) => (
          <li
            key={board.boardId}
            className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2 px-4 py-3 sm:grid-cols-[auto_minmax(0,1fr)_auto] sm:px-5"
          >
            <BoardTile name={board.name} color={board.color} />
            <DeletedFacts board={board} />
            <div className="max-sm:col-start-2 max-sm:justify-self-start">
              <RestoreForm boardId={board.boardId} text={t("restore")} label={t("restoreNamed", { name: board.name })} />
            </div>
          </li>
        ))}
      </ListCard>
    </section>
  );
}

function DeletedFacts({ board: { name, postCount, deletedAt } }: { board: DeletedBoard }) {
  const t = useTranslations("boards.deleted");
  const tBoard = useTranslations("board");
  return (
    <div className="grid min-w-0">
      <h3 className="min-w-0 font-semibold">
        <BoardName name={name} besideTile />
      </h3>
      <p className="text-muted text-sm tabular-nums">
        <DottedFacts>
          <span>{tBoard("postCount", { count: postCount })}</span>
          {deletedAt && <span>{t.rich("at", { time: () => <Time at={deletedAt} /> })}</span>}
        </DottedFacts>
      </p>
    </div>
  );
}
