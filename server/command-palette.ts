import type { Viewer } from "#lib/auth";
import { searchBoards } from "./boards/search.ts";
import { boardPath } from "./boards/urls.ts";
import { searchPeople } from "./people.ts";
import { can, requireViewer } from "./permissions.ts";

/** Something that the command palette leads to. */
export type Found = { group: "boards" | "people"; title: string; href: string };

// More would not be read while typing: another letter is faster.
const MOST_OF_EACH = 5;

/**
 * The boards, and for who may read them the people, that `q` finds; the best of each.
 * @throws AppError UNAUTHENTICATED
 */
export async function searchEverything(viewer: Viewer, { q = "" }: { q?: string }): Promise<Found[]> {
  requireViewer(viewer);
  if (!q.trim()) return [];
  const [{ boards }, people] = await Promise.all([searchBoards(viewer, { q }), can(viewer, "user:read") ? findPeople(viewer, q) : []]);
  const found = boards.map((board) => ({ group: "boards" as const, title: board.name, href: boardPath(board) }));
  return [...found.slice(0, MOST_OF_EACH), ...people];
}

async function findPeople(viewer: Viewer, q: string): Promise<Found[]> {
  const people = await searchPeople(viewer, q, MOST_OF_EACH);
  return people.map(({ userId, name }) => ({ group: "people", title: name, href: `/dashboard/users/${userId}` }));
}
