import { useTranslations } from "next-intl";
import type { ListedPost } from "#server/posts";
import { ListCard } from "./ui/card.tsx";
import { Time } from "./ui/time.tsx";

/** Posts of one board, read only. */
export function PostList({ posts }: { posts: ListedPost[] }) {
  const t = useTranslations("board");
  return (
    <ListCard>
      {posts.map(({ postId, title, createdAt }) => (
        <li key={postId} className="grid gap-1 px-5 py-4">
          <h2 dir="auto" className="font-medium">
            {title}
          </h2>
          <p className="text-muted text-sm">{t.rich("posted", { time: () => <Time at={createdAt} /> })}</p>
        </li>
      ))}
    </ListCard>
  );
}
