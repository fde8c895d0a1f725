import { useTranslations } from "next-intl";
import { BoardList } from "#components/board-list";
import { EmptyState } from "#components/ui/empty-state";
import { ButtonLink, StandaloneLink } from "#components/ui/link";
import type { FoundBoards } from "#server/boards/search";
import { boardPath } from "#server/boards/urls";
import { PageLinks } from "../page-links.tsx";
import { pageParameter, withQuery } from "../urls.ts";

type FoundProps = { found: FoundBoards };

/** How much was found, in a sentence; `id` is its heading's. */
export function FoundSummary({ id, found: { q, total, isSimilar, isCut } }: FoundProps & { id: string }) {
  const t = useTranslations("search");
  const query = () => <bdi>{q}</bdi>;
  return (
    <>
      <h2 id={id} className="font-semibold text-xl">
        {t.rich(isSimilar ? "similar" : "found", { count: total, query })}
      </h2>
      {isCut && <p className="text-muted">{t("cut")}</p>}
    </>
  );
}

/** The way back to `path` without a search. */
export function ClearSearch({ path }: { path: string }) {
  const t = useTranslations("search");
  return (
    <StandaloneLink href={path} className="pointer-coarse:-my-2">
      {t("clear")}
    </StandaloneLink>
  );
}

/** The boards that were found, page by page below `path`; nothing where nothing was looked for. */
export function FoundList({ path, found: { q, boards, total, page, pages } }: FoundProps & { path: string }) {
  const t = useTranslations("search");
  const href = (page: number) => withQuery(path, { q, page: pageParameter(page) });
  if (!q) return null;
  if (boards.length > 0)
    return (
      <>
        <BoardList boards={boards} pathOf={boardPath} />
        <PageLinks page={page} pages={pages} href={href} />
      </>
    );
  if (total > 0)
    return (
      <EmptyState title={t("end.title")} text={t("end.text")}>
        <ButtonLink href={href(1)}>{t("end.first")}</ButtonLink>
      </EmptyState>
    );
  return (
    <EmptyState text={t("none.text")}>
      <ButtonLink href="/">{t("none.all")}</ButtonLink>
    </EmptyState>
  );
}
