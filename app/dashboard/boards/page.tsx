import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { boardPath } from "#components/board-list";
import { BoardName } from "#components/board-name";
import { Badge } from "#components/ui/badge";
import { ListCard } from "#components/ui/card";
import { EmptyState } from "#components/ui/empty-state";
import { Form } from "#components/ui/form";
import { ButtonLink, Link } from "#components/ui/link";
import { PageHeader } from "#components/ui/page-header";
import { Pagination } from "#components/ui/pagination";
import { SubmitButton } from "#components/ui/submit-button";
import { Time } from "#components/ui/time";
import { type Board, type BoardPage, listBoards, listDeletedBoards } from "#server/boards";
import { boardsQuery } from "#server/boards/pages";
import { page, titled } from "../../pages.tsx";
import { queryOf, type SearchParams, withQuery } from "../../urls.ts";
import { requirePermission } from "../../visit.ts";
import { DoneNotice } from "../done-notice.tsx";
import { restore } from "./actions.ts";

type DeletedBoard = Awaited<ReturnType<typeof listDeletedBoards>>[number];

const PAGE_SIZE = "20";

export const generateMetadata = titled("boards");

/** Every board, private ones too, and those that can be brought back. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const viewer = await requirePermission("board:update", "/dashboard/boards");
  const { page, notice } = await queryOf(searchParams);
  const query = { limit: PAGE_SIZE, page };
  const [boards, deleted] = await Promise.all([
    listBoards(viewer, boardsQuery.safeParse(query).success ? query : { limit: PAGE_SIZE }),
    listDeletedBoards(viewer),
  ]);
  const t = await getTranslations("boards");
  return (
    <>
      <PageHeader title={t("title")} intro={t("intro")}>
        <ButtonLink href="/dashboard/boards/new">{t("create")}</ButtonLink>
      </PageHeader>
      <DoneNotice page="boards" notice={notice} />
      <BoardRows page={boards} />
      <PageLinks page={boards} />
      {deleted.length > 0 && <DeletedBoards boards={deleted} />}
    </>
  );
});

function BoardRows({ page }: { page: BoardPage }) {
  const t = useTranslations("boards");
  if (page.total === 0) return <EmptyState title={t("empty.title")} text={t("empty.text")} />;
  return (
    <ListCard>
      {page.boards.map((board) => (
        <li key={board.boardId} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 sm:flex-nowrap">
          <BoardFacts board={board} />
          <div className="flex shrink-0 gap-2">
            <ButtonLink href={`/dashboard/boards/${board.boardId}`} kind="secondary" aria-label={t("editNamed", { name: board.name })}>
              {t("edit")}
            </ButtonLink>
            <ButtonLink href={`/dashboard/boards/${board.boardId}/delete`} kind="quiet" aria-label={t("deleteNamed", { name: board.name })}>
              {t("delete")}
            </ButtonLink>
          </div>
        </li>
      ))}
    </ListCard>
  );
}

function BoardFacts({ board }: { board: Board }) {
  const t = useTranslations("board");
  return (
    <div className="grid min-w-0 gap-1">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="min-w-0 font-semibold text-lg">
          <Link href={boardPath(board)} className="underline-offset-4 hover:underline">
            <BoardName name={board.name} color={board.color} />
          </Link>
        </h2>
        {board.isPrivate && <Badge>{t("private")}</Badge>}
      </div>
      <p className="flex flex-wrap gap-x-4 text-muted text-sm tabular-nums">
        <bdi>/boards/{board.url}</bdi>
        <span>{t("postCount", { count: board.postCount })}</span>
        <span>{t.rich("since", { time: () => <Time at={board.createdAt} /> })}</span>
      </p>
    </div>
  );
}

function DeletedBoards({ boards }: { boards: DeletedBoard[] }) {
  const t = useTranslations("boards.deleted");
  const tBoard = useTranslations("board");
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
          <li key={board.boardId} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 sm:flex-nowrap">
            <div className="grid min-w-0 gap-1">
              <h3 className="min-w-0 font-medium">
                <BoardName name={board.name} color={board.color} />
              </h3>
              <p className="flex flex-wrap gap-x-4 text-muted text-sm tabular-nums">
                <span>{tBoard("postCount", { count: board.postCount })}</span>
                {board.deletedAt && <span>{t.rich("at", { time: () => <Time at={board.deletedAt as Date} /> })}</span>}
              </p>
            </div>
            <Form action={restore} className="grid gap-3">
              <input type="hidden" name="boardId" value={board.boardId} />
              <SubmitButton kind="secondary" label={t("restoreNamed", { name: board.name })}>
                {t("restore")}
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ListCard>
    </section>
  );
}

function PageLinks({ page }: { page: BoardPage }) {
  const t = useTranslations("pages");
  const number = page.query.page ?? 1;
  const address = (target: number) => withQuery("/dashboard/boards", { page: target > 1 ? String(target) : undefined });
  return (
    <Pagination
      label={t("label")}
      previous={number > 1 ? { href: address(number - 1), text: t("previous") } : null}
      next={page.next && { href: address(number + 1), text: t("next") }}
      position={t("position", { page: number, pages: Math.max(1, Math.ceil(page.total / page.query.limit)) })}
    />
  );
}
