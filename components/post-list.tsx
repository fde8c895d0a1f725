import type { ListedPost } from "#server/posts";
import { ListCard } from "./ui/card.tsx";
import { Age } from "./ui/time.tsx";

/** Posts of one board, read only: a row each. */
export function PostList({ posts }: { posts: ListedPost[] }) {
  return (
    <ListCard>
      {posts.map(({ postId, title, createdAt }) => (
        <li key={postId} className="flex flex-wrap items-baseline gap-x-6 px-4 py-3 sm:flex-nowrap sm:px-5">
          <h2 className="min-w-0 grow text-pretty font-medium max-sm:w-full">
            <bdi>{title}</bdi>
          </h2>
          <span className="shrink-0 text-muted text-sm tabular-nums">
            <Age at={createdAt} />
          </span>
        </li>
      ))}
    </ListCard>
  );
}
