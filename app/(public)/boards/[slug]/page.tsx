import { permanentRedirect } from "next/navigation";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { boardPath } from "#components/board-list";
import { BoardName } from "#components/board-name";
import { PostList } from "#components/post-list";
import { Badge } from "#components/ui/badge";
import { EmptyState } from "#components/ui/empty-state";
import { ButtonLink } from "#components/ui/link";
import { PageHeader } from "#components/ui/page-header";
import { Pagination } from "#components/ui/pagination";
import { type Board, getBoardByUrl } from "#server/boards";
import { can } from "#server/permissions";
import { listPosts, postsQuery } from "#server/posts";
import { page, pageMetadata } from "../../../pages.tsx";
import { decodePart, queryOf, type SearchParams, withQuery } from "../../../urls.ts";
import { currentSettings, currentViewer } from "../../../visit.ts";

type BoardPageProps = { params: Promise<{ slug: string }>; searchParams: SearchParams };

// No board has an empty address: what cannot be decoded is not found.
const boardAt = cache(async (slug: string): Promise<Board> => getBoardByUrl(await currentViewer(), decodePart(slug) ?? ""));

export const generateMetadata = pageMetadata(async ({ params }: BoardPageProps) => {
  const board = await boardAt((await params).slug);
  return { title: board.name, alternates: { canonical: boardPath(board) }, robots: board.isPrivate ? { index: false } : undefined };
});

/** A board and its newest posts. A former address leads to the present one for good. */
export default page(async ({ params, searchParams }: BoardPageProps) => {
  const { slug } = await params;
  const [board, query] = await Promise.all([boardAt(slug), queryOf(searchParams)]);
  if (board.url !== decodePart(slug)?.normalize("NFC")) permanentRedirect(withQuery(boardPath(board), query));
  const viewer = await currentViewer();
  const isQuery = postsQuery.safeParse(query).success;
  const { posts, next } = await listPosts(viewer, board.boardId, isQuery ? query : {});
  const [t, tSite, { title: siteTitle }] = await Promise.all([getTranslations("board"), getTranslations("site"), currentSettings()]);
  return (
    <>
      <PageHeader
        title={<BoardName name={board.name} color={board.color} />}
        intro={
          <p className="flex flex-wrap items-center gap-3 tabular-nums">
            {t("postCount", { count: board.postCount })}
            {board.isPrivate && <Badge>{t("private")}</Badge>}
          </p>
        }
        crumbs={[{ href: "/", text: siteTitle }]}
        crumbsLabel={tSite("breadcrumbs")}
      >
        {can(viewer, "board:update") && (
          <ButtonLink href={`/dashboard/boards/${board.boardId}`} kind="secondary">
            {t("edit")}
          </ButtonLink>
        )}
      </PageHeader>
      {posts.length > 0 ? <PostList posts={posts} /> : <EmptyState title={t("empty.title")} text={t("empty.text")} />}
      <PostPages board={board} isFirst={!query.after || !isQuery} next={next} />
    </>
  );
});

function PostPages({ board, isFirst, next }: { board: Board; isFirst: boolean; next: string | null }) {
  const t = useTranslations("board");
  return (
    <Pagination
      label={t("pages")}
      previous={isFirst ? null : { href: boardPath(board), text: t("newest") }}
      next={next ? { href: withQuery(boardPath(board), { after: next }), text: t("older") } : null}
    />
  );
}
