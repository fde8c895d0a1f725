import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { BoardList } from "#components/board-list";
import { EmptyState } from "#components/ui/empty-state";
import { ButtonLink, Link } from "#components/ui/link";
import { PageHeader } from "#components/ui/page-header";
import { Pagination } from "#components/ui/pagination";
import { type BoardPage, listBoards } from "#server/boards";
import { boardsQuery } from "#server/boards/pages";
import { can } from "#server/permissions";
import { page, pageMetadata } from "../pages.tsx";
import { queryOf, type SearchParams, withQuery } from "../urls.ts";
import { currentSettings, currentViewer } from "../visit.ts";

export const generateMetadata = pageMetadata(async () => {
  const { title } = await currentSettings();
  return { title: { absolute: title }, alternates: { canonical: "/" } };
});

/** What this site is for, and its boards page by page. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const t = await getTranslations("home");
  const [viewer, settings, query] = await Promise.all([currentViewer(), currentSettings(), queryOf(searchParams)]);
  // An address that somebody mistyped shows the list as it usually is.
  const page = await listBoards(viewer, boardsQuery.safeParse(query).success ? query : {});
  return (
    <>
      <PageHeader title={<bdi>{settings.title}</bdi>} intro={settings.description && <p dir="auto">{settings.description}</p>} />
      {page.total === 0 ? (
        <NoBoards canCreate={can(viewer, "board:create")} />
      ) : (
        <section aria-labelledby="boards" className="grid gap-4">
          <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
            <h2 id="boards" className="font-semibold text-xl">
              {t("boards", { count: page.total })}
            </h2>
            {page.total > 1 && <SortLinks page={page} />}
          </div>
          {page.boards.length > 0 ? <BoardList boards={page.boards} /> : <PastTheEnd page={page} />}
          <PageLinks page={page} />
        </section>
      )}
    </>
  );
});

function NoBoards({ canCreate }: { canCreate: boolean }) {
  const t = useTranslations("home.empty");
  if (!canCreate) return <EmptyState title={t("title")} text={t("text")} />;
  return (
    <EmptyState title={t("ownerTitle")} text={t("ownerText")}>
      <ButtonLink href="/dashboard/boards/new">{t("create")}</ButtonLink>
    </EmptyState>
  );
}

function SortLinks({ page }: { page: BoardPage }) {
  const t = useTranslations("home.sort");
  const { created, limit } = page.query;
  return (
    <nav aria-label={t("label")} className="flex gap-1 text-sm">
      {(["desc", "asc"] as const).map((direction) => (
        <Link
          key={direction}
          href={withQuery("/", { created: direction === "desc" ? undefined : direction, limit: limitInUrl(limit) })}
          aria-current={created === direction ? "true" : undefined}
          className="inline-flex min-h-11 items-center rounded-md px-3 text-muted hover:bg-sunken hover:text-ink aria-[current]:bg-sunken aria-[current]:font-semibold aria-[current]:text-ink"
        >
          {t(direction)}
        </Link>
      ))}
    </nav>
  );
}

function PastTheEnd({ page }: { page: BoardPage }) {
  const t = useTranslations("home.pastTheEnd");
  return (
    <EmptyState title={t("title")} text={t("text")}>
      <ButtonLink href={pageAddress(page, 1)}>{t("first")}</ButtonLink>
    </EmptyState>
  );
}

function PageLinks({ page }: { page: BoardPage }) {
  const t = useTranslations("pages");
  const { page: number = 1, limit, after } = page.query;
  if (after || page.boards.length === 0) return null;
  return (
    <Pagination
      label={t("label")}
      previous={number > 1 ? { href: pageAddress(page, number - 1), text: t("previous") } : null}
      next={page.next && { href: pageAddress(page, number + 1), text: t("next") }}
      position={t("position", { page: number, pages: Math.ceil(page.total / limit) })}
    />
  );
}

function pageAddress({ query }: BoardPage, number: number): string {
  return withQuery("/", {
    created: query.created === "desc" ? undefined : query.created,
    limit: limitInUrl(query.limit),
    page: number > 1 ? String(number) : undefined,
  });
}

function limitInUrl(limit: number): string | undefined {
  return limit === boardsQuery.parse({}).limit ? undefined : String(limit);
}
