import { z } from "zod";
import type { Viewer } from "#lib/auth";
import { db } from "#lib/db";
import type { Prisma } from "#prisma/generated/client";
import { getBoard } from "./boards.ts";

const PAGE_SIZE = 20;

/** The query of `listPosts`: `after` is the last postId of the page before. */
export const postsQuery = z.object({ after: z.uuid("must be the id of a post").optional() });

const postFields = { postId: true, title: true, createdAt: true } satisfies Prisma.PostSelect;

/** What leaves the server of a post in a list. */
export type ListedPost = Prisma.PostGetPayload<{ select: typeof postFields }>;

/**
 * One page of a board's posts, newest first, 20 a page. `next` is the `after` of the following page, null on the last.
 * Behind a post that is gone meanwhile the list begins anew.
 * @throws AppError BOARD_NOT_FOUND, also when the viewer may not see the board
 * @throws ZodError if `query` is not a `postsQuery`
 */
export async function listPosts(viewer: Viewer, boardId: string, query: unknown = {}): Promise<{ posts: ListedPost[]; next: string | null }> {
  const { after } = postsQuery.parse(query);
  await getBoard(viewer, boardId);
  const last = after ? await db.post.findFirst({ where: { postId: after, boardId }, select: postFields }) : null;
  const rows = await db.post.findMany({
    where: { boardId, ...(last && olderThan(last)) },
    select: postFields,
    orderBy: [{ createdAt: "desc" }, { postId: "desc" }],
    // One more than asked for tells whether there is a next page.
    take: PAGE_SIZE + 1,
  });
  const posts = rows.slice(0, PAGE_SIZE);
  return { posts, next: rows.length > PAGE_SIZE ? (posts.at(-1)?.postId ?? null) : null };
}

function olderThan({ createdAt, postId }: ListedPost): Prisma.PostWhereInput {
  // The first condition alone is what the index needs to start at the right place.
  return { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { postId: { lt: postId } }] };
}
