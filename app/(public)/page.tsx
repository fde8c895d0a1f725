import { useTranslations } from "next-intl";
import { BoardList } from "#components/board-list";
import { Markdown } from "#components/markdown";
import { EmptyState } from "#components/ui/empty-state";
import { ButtonLink, FileLink } from "#components/ui/link";
import { SearchBox, type SearchWords } from "#components/ui/search-box";
import { Segments } from "#components/ui/segments";
import type { Viewer } from "#lib/auth";
import { plainTextOf } from "#lib/markdown";
import { type ArrangedPage, arrangedQuery, BOARDS_A_PAGE, listArrangedBoards } from "#server/boards/order";
import { boardPath } from "#server/boards/urls";
import { siteCard } from "#server/cards";
import { can } from "#server/permissions";
import type { Site } from "#server/settings";
import { publicMetadata } from "../outside.ts";
import { PageLinks } from "../page-links.tsx";
import { page, pageMetadata } from "../pages.tsx";
import { boardSearchWords } from "../search-words.ts";
import { StructuredData } from "../structured-data.tsx";
import { queryOf, type SearchParams, withQuery } from "../urls.ts";
import { currentSettings, currentSiteUrl, currentViewer } from "../visit.ts";

export const generateMetadata = pageMetadata(async () => {
  const site = await currentSettings();
  return publicMetadata({ site, description: site.description, path: "/", feed: "/feed.atom", cardPath: "/card.png", card: await siteCard(site) });
});

/** What this site is for, and its boards page by page, in the order that the team arranged. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const [viewer, settings, query] = await Promise.all([currentViewer(), currentSettings(), queryOf(searchParams)]);
  // An address that somebody mistyped shows the list as it usually is.
  const boards = await listArrangedBoards(viewer, arrangedQuery.safeParse(query).success ? query : {});
  return (
    <>
      <StructuredData facts={siteFacts(settings, await currentSiteUrl())} />
      <Welcome site={settings} />
      {boards.total === 0 ? <NoBoards viewer={viewer} allowSignup={settings.allowSignup} /> : <Boards boards={boards} words={await boardSearchWords()} />}
    </>
  );
});

function siteFacts({ title, description }: Site, origin: string) {
  const target = { "@type": "EntryPoint", urlTemplate: `${origin}/search?q={query}` };
  const potentialAction = { "@type": "SearchAction", target, "query-input": "required name=query" };
  return { "@type": "WebSite", name: title, description: plainTextOf(description) || undefined, url: `${origin}/`, potentialAction };
}

/** What this site is for, in the team's own words. */
function Welcome({ site }: { site: Site }) {
  return (
    <header className="grid gap-3 py-2 sm:py-6">
      <h1 className="max-w-3xl font-semibold text-display">
        <bdi>{site.title}</bdi>
      </h1>
      {site.description && (
        <p dir="auto" className="max-w-2xl text-lg text-muted">
          <Markdown text={site.description} isLine />
        </p>
      )}
    </header>
  );
}

function NoBoards({ viewer, allowSignup }: { viewer: Viewer; allowSignup: boolean }) {
  const t = useTranslations("home.empty");
  const tSite = useTranslations("site");
  if (can(viewer, "board:create"))
    return (
      <EmptyState title={t("ownerTitle")} text={t("ownerText")}>
        <ButtonLink href="/dashboard/boards/new">{t("create")}</ButtonLink>
      </EmptyState>
    );
  return (
    <EmptyState title={t("title")} text={t("text")}>
      {!viewer && <ButtonLink href={allowSignup ? "/signup" : "/login"}>{tSite(allowSignup ? "signUp" : "signIn")}</ButtonLink>}
      <FileLink href="/feed.atom" kind="secondary">
        {t("feed")}
      </FileLink>
    </EmptyState>
  );
}

function Boards({ boards, words }: { boards: ArrangedPage; words: SearchWords }) {
  const t = useTranslations("home");
  return (
    <section aria-labelledby="boards" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id="boards" className="font-semibold text-xl">
          {t("boards", { count: boards.total })}
        </h2>
        <div className="flex grow flex-wrap items-center gap-3 max-sm:w-full sm:justify-end">
          <div className="flex min-w-0 grow max-sm:w-full sm:max-w-sm">
            <SearchBox action="/search" words={words} />
          </div>
          {boards.total > 1 && <SortLinks query={boards.query} />}
        </div>
      </div>
      {boards.boards.length > 0 ? <BoardList boards={boards.boards} pathOf={boardPath} /> : <PastTheEnd query={boards.query} />}
      {boards.boards.length > 0 && <PageLinks page={boards.query.page} pages={boards.pages} href={(page) => addressOf({ ...boards.query, page })} />}
    </section>
  );
}

type Query = ArrangedPage["query"];

function SortLinks({ query }: { query: Query }) {
  const t = useTranslations("home.sort");
  const segments = ([undefined, "desc", "asc"] as const).map((created) => ({
    href: addressOf({ ...query, created, page: 1 }),
    text: t(created ?? "arranged"),
    isCurrent: query.created === created,
  }));
  return <Segments label={t("label")} segments={segments} />;
}

function PastTheEnd({ query }: { query: Query }) {
  const t = useTranslations("home.pastTheEnd");
  return (
    <EmptyState title={t("title")} text={t("text")}>
      <ButtonLink href={addressOf({ ...query, page: 1 })}>{t("first")}</ButtonLink>
    </EmptyState>
  );
}

function addressOf({ created, page, limit }: Query): string {
  return withQuery("/", {
    created,
    limit: limit === BOARDS_A_PAGE ? undefined : String(limit),
    page: page > 1 ? String(page) : undefined,
  });
}
