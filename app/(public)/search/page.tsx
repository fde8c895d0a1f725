import { getTranslations } from "next-intl/server";
import { LiveResults, LiveSearch, LiveSearchArea } from "#components/ui/live-search";
import { PageHeader } from "#components/ui/page-header";
import { searchBoards } from "#server/boards/search";
import { boardSearchWords, searchOf } from "../../board-search.ts";
import { page, pageMetadata } from "../../pages.tsx";
import type { SearchParams } from "../../urls.ts";
import { currentViewer } from "../../visit.ts";
import { ClearSearch, FoundList, FoundSummary } from "../found-boards.tsx";

type SearchPageProps = { searchParams: SearchParams };

export const generateMetadata = pageMetadata(async ({ searchParams }: SearchPageProps) => {
  const [t, { q }] = await Promise.all([getTranslations("search"), searchOf(searchParams)]);
  // What somebody looked for is no page of its own to search engines.
  return { title: q ? t("titleFor", { query: q }) : t("title"), robots: { index: false } };
});

/** The boards whose name or description holds what was looked for. */
export default page(async ({ searchParams }: SearchPageProps) => {
  const [viewer, query, t] = await Promise.all([currentViewer(), searchOf(searchParams), getTranslations("search")]);
  const [found, words] = await Promise.all([searchBoards(viewer, query), boardSearchWords()]);
  return (
    <div className="grid gap-6">
      <PageHeader title={t("title")} />
      <LiveSearchArea>
        <div className="flex lg:max-w-2xl">
          <LiveSearch action="/search" q={found.q} words={words} isMain />
        </div>
        <LiveResults className="grid gap-4">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
            {/* Always there, so that what comes into it is read out. */}
            <div role="status" className="grid gap-1">
              {found.q ? <FoundSummary id="found" found={found} /> : <p className="text-muted">{t("hint")}</p>}
            </div>
            {found.q && <ClearSearch path="/search" />}
          </div>
          <FoundList path="/search" found={found} />
        </LiveResults>
      </LiveSearchArea>
    </div>
  );
});
