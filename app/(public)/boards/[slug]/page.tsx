import { Pencil, Rss } from "lucide-react";
import { permanentRedirect } from "next/navigation";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { type ComponentProps, cache } from "react";
import { BoardFacts } from "#components/board-list";
import { BoardName } from "#components/board-name";
import { BoardTile } from "#components/board-tile";
import { Markdown } from "#components/markdown";
import { PostList } from "#components/post-list";
import { PrivateBadge } from "#components/private-badge";
import { EmptyState } from "#components/ui/empty-state";
import { ButtonLink } from "#components/ui/link";
import { Notice } from "#components/ui/notice";
import { PageHeader } from "#components/ui/page-header";
import { Pagination } from "#components/ui/pagination";
import { showOneBoard } from "#lib/answer";
import type { Viewer } from "#lib/auth";
import { plainTextOf } from "#lib/markdown";
import { type Board, getBoardByUrl } from "#server/boards";
import { boardPath } from "#server/boards/urls";
import { boardCard } from "#server/cards";
import { can } from "#server/permissions";
import { listPosts, postsQuery } from "#server/posts";
import { publicMetadata } from "../../../outside.ts";
import { page, pageMetadata } from "../../../pages.tsx";
import { StructuredData } from "../../../structured-data.tsx";
import { boardUrlOf, queryOf, readableBy, type SearchParams, withQuery } from "../../../urls.ts";
import { currentSettings, currentSiteUrl, currentViewer } from "../../../visit.ts";

type BoardPageProps = { params: Promise<{ slug: string }>; searchParams: SearchParams };

/** What the team asks for to see the page without what only it may do. */
const AS_VISITOR = "visitor";

const boardAt = cache(async (slug: string): Promise<Board> => getBoardByUrl(await currentViewer(), boardUrlOf(slug)));

export const generateMetadata = pageMetadata(async ({ params, searchParams }: BoardPageProps) => {
  const [board, site, viewer, query] = await Promise.all([params.then(({ slug }) => boardAt(slug)), currentSettings(), currentViewer(), queryOf(searchParams)]);
  const { name: title, description } = board;
  if (board.isPrivate && looksAsVisitor(viewer, query)) return { title: (await getTranslations("problems.notFound"))("title"), robots: { index: false } };
  // What only some may see is described to nobody else.
  if (board.isPrivate) return { title, alternates: { canonical: boardPath(board) }, robots: { index: false } };
  const [path, feed, cardPath] = [boardPath(board), boardPath(board, "/feed.atom"), boardPath(board, "/card.png")];
  return publicMetadata({ site, title, description, path, feed, cardPath, card: boardCard(site, board) });
});

/** A board and its newest posts. A former address leads to the present one for good. */
export default page(async ({ params, searchParams }: BoardPageProps) => {
  const { slug } = await params;
  const [board, query] = await Promise.all([boardAt(slug), queryOf(searchParams)]);
  if (board.url !== boardUrlOf(slug)) permanentRedirect(withQuery(boardPath(board), query));
  showOneBoard(board.boardId);
  const viewer = await currentViewer();
  const canEdit = can(viewer, "board:update");
  const asVisitor = looksAsVisitor(viewer, query);
  const { title: siteTitle } = await currentSettings();
  if (asVisitor && board.isPrivate) return <HiddenFromVisitors board={board} />;
  const { after } = readableBy(postsQuery, query);
  const { posts, next } = await listPosts(viewer, board.boardId, { after });
  return (
    <>
      {!board.isPrivate && <StructuredData facts={boardJsonLd(board, siteTitle, await currentSiteUrl())} />}
      {asVisitor && <AsVisitor board={board} />}
      <BoardHeader board={board} canEdit={canEdit && !asVisitor} />
      <Posts posts={posts} />
      <PostPages board={board} isFirst={!after} next={next} as={asVisitor ? AS_VISITOR : undefined} />
    </>
  );
});

/** Whether one of the team asks to see the page as visitors do. */
function looksAsVisitor(viewer: Viewer, query: Awaited<ReturnType<typeof queryOf>>): boolean {
  return can(viewer, "board:update") && query.as === AS_VISITOR;
}

function boardJsonLd(board: Board, siteTitle: string, origin: string) {
  const isPartOf = { "@type": "WebSite", name: siteTitle, url: `${origin}/` };
  const description = plainTextOf(board.description) || undefined;
  return { "@type": "CollectionPage", name: board.name, description, url: origin + boardPath(board), dateModified: board.lastPostAt, isPartOf };
}

function BoardHeader({ board, canEdit }: { board: Board; canEdit: boolean }) {
  const t = useTranslations("board");
  const tSite = useTranslations("site");
  const { name, color, description, isPrivate, boardId } = board;
  return (
    <PageHeader
      title={<BoardName name={name} besideTile />}
      sign={<BoardTile name={name} color={color} size="large" />}
      intro={
        <>
          {description && (
            <p>
              <bdi>
                <Markdown text={description} isLine />
              </bdi>
            </p>
          )}
          <div className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm tabular-nums">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              {isPrivate && <PrivateBadge />}
              <BoardFacts board={board} />
            </span>
            {!isPrivate && (
              <a
                href={boardPath(board, "/feed.atom")}
                aria-label={t("feedOf", { name })}
                className="inline-flex min-h-8 min-w-8 items-center gap-1.5 text-muted underline-offset-4 hover:text-ink hover:underline pointer-coarse:min-h-11 pointer-coarse:min-w-11"
              >
                <Rss aria-hidden="true" className="size-3.5" />
                {tSite("feed")}
              </a>
            )}
          </div>
        </>
      }
      crumbs={[{ href: "/", text: tSite("boards") }]}
      crumbsLabel={tSite("breadcrumbs")}
    >
      {canEdit && (
        <ButtonLink href={`/dashboard/boards/${boardId}`} kind="secondary">
          <Pencil aria-hidden="true" className="size-4" />
          {t("edit")}
        </ButtonLink>
      )}
    </PageHeader>
  );
}

/** Tells the team that the page lacks what only they see, and leads back. */
function AsVisitor({ board }: { board: Board }) {
  const t = useTranslations("board.asVisitor");
  return (
    <Notice>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>{t("text")}</p>
        <ButtonLink href={boardPath(board)} kind="secondary">
          {t("leave")}
        </ButtonLink>
      </div>
    </Notice>
  );
}

/** What a visitor sees of a private board: nothing. */
function HiddenFromVisitors({ board }: { board: Board }) {
  const t = useTranslations("board.asVisitor");
  return (
    <EmptyState title={t("hidden")} text={t("hiddenText")} isPage>
      <ButtonLink href={`/dashboard/boards/${board.boardId}`}>{t("change")}</ButtonLink>
      <ButtonLink href={boardPath(board)} kind="secondary">
        {t("leave")}
      </ButtonLink>
    </EmptyState>
  );
}

/** Posts look as if one could open them, and an empty board as if one could write the first: the line above says that neither is so. */
function Posts({ posts }: ComponentProps<typeof PostList>) {
  const t = useTranslations("board");
  const noPosts = (
    <EmptyState title={t("empty.title")} text={t("empty.text")}>
      <ButtonLink href="/">{t("empty.others")}</ButtonLink>
    </EmptyState>
  );
  return (
    <div className="grid gap-3">
      <p className="text-muted text-sm">{t("readOnly")}</p>
      {posts.length > 0 ? <PostList posts={posts} /> : noPosts}
    </div>
  );
}

type PostPagesProps = { board: Board; isFirst: boolean; next: string | null; as: string | undefined };

function PostPages({ board, isFirst, next, as }: PostPagesProps) {
  const t = useTranslations("board");
  return (
    <Pagination
      label={t("pages")}
      previous={isFirst ? null : { href: withQuery(boardPath(board), { as }), text: t("first"), isStart: true }}
      next={next ? { href: withQuery(boardPath(board), { as, after: next }), text: t("older") } : null}
    />
  );
}
