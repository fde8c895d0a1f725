import { useTranslations } from "next-intl";
import { Outcome } from "#components/ui/outcome";
import { BOARDS_A_PAGE } from "#server/boards/order";
import { DoneNotice } from "../done-notice.tsx";
import type { ListedBoards } from "./board-rows.tsx";
import { RestoreForm } from "./restore-form.tsx";

type BoardsNoticeProps = {
  /** What the page's address says was just done, and to which board; anybody can write there. */
  notice: string | undefined;
  boardId: string | undefined;
  list: ListedBoards;
  deleted: { boardId: string; name: string }[];
};

/** Says what was just done to a board: where it stands now, or that it is gone and how it comes back. */
export function BoardsNotice({ notice, boardId, list, deleted }: BoardsNoticeProps) {
  const t = useTranslations("boards");
  const place = list.boards.findIndex((board) => board.boardId === boardId);
  const gone = deleted.find((board) => board.boardId === boardId);
  if (notice === "moved" && place >= 0) {
    const name = () => <bdi className="font-medium">{list.boards[place]?.name}</bdi>;
    return <Outcome>{t.rich("moved", { name, place: (list.page - 1) * BOARDS_A_PAGE + place + 1, count: list.total })}</Outcome>;
  }
  if (notice === "deleted" && gone)
    return (
      <Outcome>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p>{t.rich("deletedNamed", { name: () => <bdi className="font-medium">{gone.name}</bdi> })}</p>
          <RestoreForm boardId={gone.boardId} text={t("undo")} label={t("undoNamed", { name: gone.name })} />
        </div>
      </Outcome>
    );
  return <DoneNotice page="boards" notice={notice} />;
}
