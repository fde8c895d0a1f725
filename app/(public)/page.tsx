import { useTranslations } from "next-intl";
import { BoardList } from "#components/board-list";
import { Markdown } from "#components/markdown";
import { EmptyState } from "#components/ui/empty-state";
import { ButtonLink, FileLink } from "#components/ui/link";
import { LiveResults, LiveSearch, LiveSearchArea } from "#components/ui/live-search";
import { Notice } from "#components/ui/notice";
import type { SearchWords } from "#components/ui/search-box";
import { Segments } from "#components/ui/segments";
import type { Viewer } from "#lib/auth";
import { plainTextOf } from "#lib/markdown";
import { type ArrangedPage, arrangedQuery, BOARDS_A_PAGE, listArrangedBoards } from "#server/boards/order";
import { type FoundBoards, searchBoards } from "#server/boards/search";
import { boardPath } from "#server/boards/urls";
import { can } from "#server/permissions";
import type { Site } from "#server/settings";
import { boardSearchWords, searchOf } from "../board-search.ts";
import { sitePageMetadata } from "../outside.ts";
import { PageLinks } from "../page-links.tsx";
import { page, pageMetadata } from "../pages.tsx";
import { StructuredData } from "../structured-data.tsx";
import { pageParameter, queryOf, readableBy, type SearchParams, withQuery } from "../urls.ts";
import { currentSettings, currentSiteUrl, currentViewer } from "../visit.ts";
import { ClearSearch, FoundList, FoundSummary } from "./found-boards.tsx";

type HomeProps = { searchParams: SearchParams };

export const generateMetadata = pageMetadata(async ({ searchParams }: HomeProps) => {
  const [site, { q }] = await Promise.all([currentSettings(), searchOf(searchParams)]);
  const metadata = sitePageMetadata(site, { path: "/", feed: "/feed.atom" });
  // What somebody looked for is no page of its own to search engines.
  return q ? { ...metadata, robots: { index: false } } : metadata;
});

/** What this site is for, and its boards page by page, in the order that the team arranged; or those that are looked for. */
export default page(async ({ searchParams }: HomeProps) => {
  const [viewer, settings, search, { notice }] = await Promise.all([currentViewer(), currentSettings(), searchOf(searchParams), queryOf(searchParams)]);
  const shown = search.q ? { found: await searchBoards(viewer, search) } : { boards: await readArranged(viewer, searchParams) };
  return (
    <>
      <StructuredData facts={siteJsonLd(settings, await currentSiteUrl())} />
      {!viewer && notice === "signed-out" && <SignedOut />}
      <Welcome site={settings} />
      {shown.boards?.total === 0 ? <NoBoards viewer={viewer} allowSignup={settings.allowSignup} /> : <Boards {...shown} words={await boardSearchWords()} />}
    </>
  );
});

function SignedOut() {
  const t = useTranslations("home");
  return (
    <div role="status">
      <Notice tone="success">{t("signedOut")}</Notice>
    </div>
  );
}

/** The boards in their order. */
async function readArranged(viewer: Viewer, searchParams: SearchParams): Promise<ArrangedPage> {
  return listArrangedBoards(viewer, readableBy(arrangedQuery, await queryOf(searchParams)));
}

function siteJsonLd({ title, description }: Site, origin: string) {
  const target = { "@type": "EntryPoint", urlTemplate: `${origin}/search?q={query}` };
  const potentialAction = { "@type": "SearchAction", target, "query-input": "required name=query" };
  return { "@type": "WebSite", name: title, description: plainTextOf(description) || undefined, url: `${origin}/`, potentialAction };
}

/** What this site is for, in the team's own words where it has written some. */
function Welcome({ site }: { site: Site }) {
  const t = useTranslations("home");
  return (
    <header className="grid gap-3 py-2 sm:py-6">
      <h1 className="max-w-3xl font-semibold text-display">
        <bdi>{site.title}</bdi>
      </h1>
      <p dir={site.description ? "auto" : undefined} className="max-w-2xl text-lg text-muted">
        {site.description ? <Markdown text={site.description} isLine /> : t("intro")}
      </p>
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

type BoardsProps = { words: SearchWords } & ({ boards: ArrangedPage; found?: undefined } | { boards?: undefined; found: FoundBoards });

/** The field keeps its place, whatever comes below it while somebody types. */
function Boards({ boards, found, words }: BoardsProps) {
  const t = useTranslations("home");
  return (
    <section aria-labelledby="boards" className="grid gap-5">
      <LiveSearchArea>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <div className="flex w-full min-w-0 sm:w-80 lg:w-md">
            <LiveSearch action="/" formAction="/search" q={found?.q ?? ""} words={words} />
          </div>
          {boards && boards.total > 1 && <SortLinks query={boards.query} />}
        </div>
        <LiveResults className="grid gap-4">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
            {/* Always there, so that what comes into it is read out. */}
            <div role="status" className="grid gap-1">
              {found ? (
                <FoundSummary id="boards" found={found} />
              ) : (
                <h2 id="boards" className="font-semibold text-xl">
                  {t("boards", { count: boards.total })}
                </h2>
              )}
            </div>
            {found && <ClearSearch path="/" />}
          </div>
          {found ? <FoundList path="/" found={found} /> : <Arranged boards={boards} />}
        </LiveResults>
      </LiveSearchArea>
    </section>
  );
}

function Arranged({ boards: { boards, pages, query } }: { boards: ArrangedPage }) {
  if (boards.length === 0) return <PastTheEnd query={query} />;
  return (
    <>
      <BoardList boards={boards} pathOf={boardPath} />
      <PageLinks page={query.page} pages={pages} href={(page) => addressOf({ ...query, page })} />
    </>
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
    page: pageParameter(page),
  });
}
