import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { BoardList } from "#components/board-list";
import { EmptyState } from "#components/ui/empty-state";
import { ButtonLink } from "#components/ui/link";
import { LiveResults, LiveSearch, LiveSearchArea } from "#components/ui/live-search";
import { PageHeader } from "#components/ui/page-header";
import { boardSearch, type FoundBoards, searchBoards } from "#server/boards/search";
import { boardPath } from "#server/boards/urls";
import { PageLinks } from "../../page-links.tsx";
import { page, pageMetadata } from "../../pages.tsx";
import { boardSearchWords } from "../../search-words.ts";
import { queryOf, type SearchParams, withQuery } from "../../urls.ts";
import { currentViewer } from "../../visit.ts";

type SearchPageProps = { searchParams: SearchParams };

/** What is looked for, as the address says; its first page where the number of the page is none. */
async function searchOf(searchParams: SearchParams) {
  const query = await queryOf(searchParams);
  return boardSearch.safeParse(query).success ? query : { q: query.q };
}

export const generateMetadata = pageMetadata(async ({ searchParams }: SearchPageProps) => {
  const [t, { q }] = await Promise.all([getTranslations("search"), searchOf(searchParams)]);
  const query = boardSearch.parse({ q }).q;
  // What somebody looked for is no page of its own to search engines.
  return { title: query ? t("titleFor", { query }) : t("title"), robots: { index: false } };
});

/** The boards whose name or description holds what was looked for. */
export default page(async ({ searchParams }: SearchPageProps) => {
  const [viewer, query, t] = await Promise.all([currentViewer(), searchOf(searchParams), getTranslations("search")]);
  const [found, words] = await Promise.all([searchBoards(viewer, query), boardSearchWords()]);
  return (
    <div className="grid gap-6">
      <PageHeader title={t("title")} />
      <LiveSearchArea>
        <div className="flex max-w-2xl">
          <LiveSearch action="/search" q={found.q} words={words} isMain />
        </div>
        <LiveResults className="grid gap-6">
          {/* Always there, so that what comes into it is read out. */}
          <div role="status" className="grid gap-1">
            {found.q ? <Summary found={found} /> : <p className="text-muted">{t("hint")}</p>}
          </div>
          <Results found={found} />
        </LiveResults>
      </LiveSearchArea>
    </div>
  );
});

/** How much was found, in a sentence. */
function Summary({ found: { q, total, isSimilar, isCut } }: { found: FoundBoards }) {
  const t = useTranslations("search");
  const query = () => <bdi>{q}</bdi>;
  return (
    <>
      <h2 className="font-semibold text-xl">{t.rich(isSimilar ? "similar" : "found", { count: total, query })}</h2>
      {isCut && <p className="text-muted">{t("cut")}</p>}
    </>
  );
}

function Results({ found: { q, boards, page, pages } }: { found: FoundBoards }) {
  const t = useTranslations("search");
  const href = (page: number) => withQuery("/search", { q, page: page > 1 ? String(page) : undefined });
  if (!q) return null;
  if (boards.length > 0)
    return (
      <>
        <BoardList boards={boards} pathOf={boardPath} />
        <PageLinks page={page} pages={pages} href={href} />
      </>
    );
  if (page > 1)
    return (
      <EmptyState title={t("end.title")} text={t("end.text")}>
        <ButtonLink href={href(1)}>{t("end.first")}</ButtonLink>
      </EmptyState>
    );
  return (
    <EmptyState title={t("none.title")} text={t("none.text")}>
      <ButtonLink href="/search" kind="secondary">
        {t("none.clear")}
      </ButtonLink>
      <ButtonLink href="/" kind="secondary">
        {t("none.all")}
      </ButtonLink>
    </EmptyState>
  );
}
