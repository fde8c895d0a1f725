import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { EmptyState } from "#components/ui/empty-state";
import { ButtonLink } from "#components/ui/link";
import { LiveResults, LiveSearch, LiveSearchArea } from "#components/ui/live-search";
import { PageHeader } from "#components/ui/page-header";
import { listDeletedBoards } from "#server/boards/deletion";
import { arrangedQuery, BOARDS_A_PAGE, listArrangedBoards } from "#server/boards/order";
import { searchBoards } from "#server/boards/search";
import { boardSearchWords, searchOf } from "../../board-search.ts";
import { PageLinks } from "../../page-links.tsx";
import { page, titledForTeam } from "../../pages.tsx";
import { pageParameter, queryOf, readableBy, type SearchParams, withQuery } from "../../urls.ts";
import { requirePermission, type SignedIn } from "../../visit.ts";
import { BoardRows, type ListedBoards } from "./board-rows.tsx";
import { BoardsNotice } from "./boards-notice.tsx";
import { DeletedBoards } from "./deleted-boards.tsx";

const LIST = "/dashboard/boards";
const NEW = `${LIST}/new`;

export const generateMetadata = titledForTeam("boards");

/** Every board in the order that visitors see, private ones too, and those that can be brought back. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const query = await queryOf(searchParams);
  const viewer = await requirePermission("board:update", LIST, query);
  const [list, deleted, t, words] = await Promise.all([
    readList(viewer, searchParams),
    listDeletedBoards(viewer),
    getTranslations("boards"),
    boardSearchWords(),
  ]);
  return (
    <>
      <PageHeader title={t("title")} intro={t("intro")}>
        {(list.q || list.total > 0) && <ButtonLink href={NEW}>{t("create")}</ButtonLink>}
      </PageHeader>
      <BoardsNotice notice={query.notice} boardId={query.board} list={list} deleted={deleted} />
      <div className="grid gap-6">
        <LiveSearchArea>
          {(list.q || list.total > BOARDS_A_PAGE) && <LiveSearch action={LIST} q={list.q} words={words} />}
          <LiveResults className="grid gap-4">
            <p role="status" className={list.total > 0 ? "text-muted text-sm tabular-nums empty:hidden" : "sr-only"}>
              {list.q && t("found", { count: list.total, query: list.q })}
            </p>
            {list.boards.length > 0 ? <BoardRows list={list} /> : <NoBoards list={list} />}
          </LiveResults>
        </LiveSearchArea>
      </div>
      {list.boards.length > 0 && <PageLinks page={list.page} pages={list.pages} href={(page) => addressOf(list.q, page)} />}
      {deleted.length > 0 && <DeletedBoards boards={deleted} />}
    </>
  );
});

/** What the address asks for: the boards in their order, or those that are looked for. */
async function readList(viewer: SignedIn, searchParams: SearchParams) {
  const search = await searchOf(searchParams);
  if (search.q) return searchBoards(viewer, search);
  const { page } = readableBy(arrangedQuery, await queryOf(searchParams));
  const { query, ...list } = await listArrangedBoards(viewer, { page });
  return { ...list, q: "", page: query.page };
}

function addressOf(q: string, page: number): string {
  return withQuery(LIST, { q: q || undefined, page: pageParameter(page) });
}

function NoBoards({ list: { q, total } }: { list: ListedBoards }) {
  const t = useTranslations("boards");
  const tEnd = useTranslations(q ? "search.end" : "home.pastTheEnd");
  if (total > 0)
    return (
      <EmptyState title={tEnd("title")} text={tEnd("text")}>
        <ButtonLink href={addressOf(q, 1)}>{tEnd("first")}</ButtonLink>
      </EmptyState>
    );
  if (!q)
    return (
      <EmptyState title={t("empty.title")} text={t("empty.text")}>
        <ButtonLink href={NEW}>{t("create")}</ButtonLink>
      </EmptyState>
    );
  return (
    <EmptyState title={t("noneFound.title", { query: q })} text={t("noneFound.text")}>
      <ButtonLink href={LIST} kind="secondary">
        {t("noneFound.clear")}
      </ButtonLink>
    </EmptyState>
  );
}
