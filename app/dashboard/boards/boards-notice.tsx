import { useTranslations } from "next-intl";
import { Form } from "#components/ui/form";
import { Outcome } from "#components/ui/outcome";
import { SubmitButton } from "#components/ui/submit-button";
import { BOARDS_A_PAGE } from "#server/boards/order";
import { DoneNotice } from "../done-notice.tsx";
import { restore } from "./actions.ts";
import type { ListedBoards } from "./board-rows.tsx";

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
          <Form action={restore} className="grid gap-3">
            <input type="hidden" name="boardId" value={gone.boardId} />
            <SubmitButton kind="secondary" label={t("undoNamed", { name: gone.name })}>
              {t("undo")}
            </SubmitButton>
          </Form>
        </div>
      </Outcome>
    );
  return <DoneNotice page="boards" notice={notice} />;
}
