import { expect, test } from "vitest";
import type { Viewer } from "#lib/auth";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { listPosts } from "./posts.ts";

useDatabase();

const OWNER: Viewer = { userId: "0190a8a0-0000-7000-8000-00000000000a", sessionId: "0190a8a0-0000-7000-8000-00000000000b", role: "OWNER", isVerified: true };

test("every post of a board is on exactly one page, newest first, also those of the same moment", async () => {
  const { boardId } = await boardWithPosts(45);

  const first = await listPosts(null, boardId);
  const second = await listPosts(null, boardId, { after: first.next });
  const third = await listPosts(null, boardId, { after: second.next });

  const times = [first, second, third].flatMap(({ posts }) => posts.map(({ createdAt }) => createdAt.getTime()));
  expect([first, second, third].map(({ posts }) => posts.length)).toEqual([20, 20, 5]);
  expect(new Set([first, second, third].flatMap(({ posts }) => posts.map(({ postId }) => postId))).size).toBe(45);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(third.next).toBeNull();
});

test("a private or deleted board shows its posts to nobody else", async () => {
  const { boardId } = await boardWithPosts(1, { isPrivate: true });
  const deleted = await boardWithPosts(1, { deletedAt: new Date() });

  await expect(listPosts(null, boardId)).rejects.toMatchObject({ code: "BOARD_NOT_FOUND" });
  await expect(listPosts(OWNER, deleted.boardId)).rejects.toMatchObject({ code: "BOARD_NOT_FOUND" });
  expect((await listPosts(OWNER, boardId)).posts).toHaveLength(1);
});

async function boardWithPosts(count: number, facts: { isPrivate?: boolean; deletedAt?: Date } = {}) {
  const board = await db.board.create({ data: { name: "Ideas", color: "2563eb", url: crypto.randomUUID(), ...facts } });
  const posts = Array.from({ length: count }, (_, index) => ({
    boardId: board.boardId,
    title: `Post ${index}`,
    createdAt: new Date(1_790_000_000_000 + Math.floor(index / 10) * 1000),
  }));
  await db.post.createMany({ data: posts });
  return board;
}
