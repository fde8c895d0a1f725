import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, Ellipsis, Eye, Pencil, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { BoardName } from "#components/board-name";
import { BoardTile } from "#components/board-tile";
import { DottedFacts } from "#components/dotted-facts";
import { PrivateBadge } from "#components/private-badge";
import { Form } from "#components/ui/form";
import { ButtonLink, Link } from "#components/ui/link";
import { MENU_ITEM, Menu } from "#components/ui/menu";
import { Age } from "#components/ui/time";
import type { Board } from "#server/boards";
import { BOARDS_A_PAGE } from "#server/boards/order";
import { boardPath } from "#server/boards/urls";
import { move } from "./actions.ts";

/** A page of boards: of all, in their order, or of those that were looked for. */
export type ListedBoards = { boards: Board[]; total: number; page: number; q: string };

/** The boards as the team manages them, a row each. */
export function BoardRows({ list: { boards, total, page, q } }: { list: ListedBoards }) {
  return (
    <ol className="divide-y divide-line rounded-lg border border-line bg-surface shadow-low">
      {boards.map((board, index) => (
        <BoardRow key={board.boardId} board={board} place={q ? null : (page - 1) * BOARDS_A_PAGE + index} total={total} />
      ))}
    </ol>
  );
}

type BoardRowProps = {
  board: Board;
  /** Its place among all boards, from 0; null in a list of what was found, where places say nothing. */
  place: number | null;
  total: number;
};

function BoardRow({ board, place, total }: BoardRowProps) {
  const t = useTranslations("boards");
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-4 gap-y-2 px-4 py-3 sm:px-5 md:grid-cols-[auto_minmax(0,1fr)_10rem_auto] md:items-center">
      <div className="flex items-center gap-3">
        {place !== null && <span className="min-w-5 text-end text-muted text-sm tabular-nums max-sm:hidden">{t("place", { place: place + 1 })}</span>}
        <BoardTile name={board.name} color={board.color} />
      </div>
      <div className="min-w-0">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0 font-semibold">
            <Link
              href={boardPath(board)}
              className="inline-flex min-h-6 min-w-6 items-center underline-offset-4 hover:underline pointer-coarse:min-h-11 pointer-coarse:min-w-11"
            >
              <BoardName name={board.name} besideTile />
            </Link>
          </h2>
          {board.isPrivate && <PrivateBadge />}
        </div>
        <p className="text-muted text-sm">
          <bdi dir="ltr" className="wrap-anywhere max-md:block max-md:w-fit max-md:max-w-full max-md:truncate">
            /boards/{board.url}
          </bdi>
        </p>
      </div>
      <Activity board={board} />
      <div className="flex items-center gap-1 max-md:col-start-3 max-md:row-start-1">
        <span className="max-sm:hidden">
          <ButtonLink href={`/dashboard/boards/${board.boardId}`} kind="secondary" aria-label={t("editNamed", { name: board.name })}>
            {t("edit")}
          </ButtonLink>
        </span>
        <RowMenu board={board} place={place} total={total} />
      </div>
    </li>
  );
}

function Activity({ board: { postCount, lastPostAt } }: { board: Board }) {
  const t = useTranslations("board");
  return (
    <p className="text-sm tabular-nums max-md:col-span-2 max-md:col-start-2">
      <DottedFacts>
        <span className="md:basis-full">{t("postCount", { count: postCount })}</span>
        {lastPostAt && <span className="text-muted md:basis-full">{t.rich("newest", { time: () => <Age at={lastPostAt} /> })}</span>}
      </DottedFacts>
    </p>
  );
}

function RowMenu({ board, place, total }: BoardRowProps) {
  const t = useTranslations("boards");
  const address = `/dashboard/boards/${board.boardId}`;
  return (
    <Menu
      label={t("moreNamed", { name: board.name })}
      triggerClassName="size-10 justify-center text-muted hover:bg-sunken hover:text-ink pointer-coarse:size-11"
      trigger={<Ellipsis aria-hidden="true" className="size-5" />}
    >
      <div className="sm:hidden">
        <Link href={address} className={MENU_ITEM} aria-label={t("editNamed", { name: board.name })}>
          <Pencil aria-hidden="true" className="size-4 text-muted" />
          {t("edit")}
        </Link>
      </div>
      <Link href={`${boardPath(board)}?as=visitor`} className={MENU_ITEM}>
        <Eye aria-hidden="true" className="size-4 text-muted" />
        {t("asVisitor")}
      </Link>
      {(place === null || total > 1) && (
        <>
          <hr className="my-1.5 border-line" />
          <Form action={move} className="grid">
            <input type="hidden" name="boardId" value={board.boardId} />
            <Moves place={place} total={total} />
          </Form>
        </>
      )}
      <hr className="my-1.5 border-line" />
      <Link href={`${address}/delete`} className={MENU_ITEM} aria-label={t("deleteNamed", { name: board.name })}>
        <Trash2 aria-hidden="true" className="size-4 text-danger-ink" />
        <span className="text-danger-ink">{t("delete")}</span>
      </Link>
    </Menu>
  );
}

const MOVES = [
  { to: "top", Icon: ArrowUpToLine },
  { to: "up", Icon: ArrowUp },
  { to: "down", Icon: ArrowDown },
  { to: "bottom", Icon: ArrowDownToLine },
] as const;

/** The ways to go from here: none beyond the end, and no single steps where the neighbors are not seen. */
function Moves({ place, total }: Pick<BoardRowProps, "place" | "total">) {
  const t = useTranslations("boards.move");
  const possible = MOVES.filter(({ to }) => {
    if (place === null) return to === "top" || to === "bottom";
    return to === "top" || to === "up" ? place > 0 : place < total - 1;
  });
  return possible.map(({ to, Icon }) => (
    <button key={to} type="submit" name="to" value={to} className={MENU_ITEM}>
      <Icon aria-hidden="true" className="size-4 text-muted" />
      {t(to)}
    </button>
  ));
}
