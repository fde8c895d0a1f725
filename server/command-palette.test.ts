import { expect, test } from "vitest";
import { useDatabase } from "#lib/testing/database";
import { createBoard } from "./boards.ts";
import { searchEverything } from "./command-palette.ts";
import { aMember, anOwner, aSite } from "./testing/people.ts";

useDatabase();

test("boards and people are found by a part of their names; people and private boards only by who may see them", async () => {
  await aSite();
  const owner = await anOwner({ name: "Olive" });
  const member = await aMember({ name: "Nora Ideas", searchText: "nora ideas" });
  await createBoard(owner.viewer, { name: "💡 Ideas", url: "ideas" });
  await createBoard(owner.viewer, { name: "Secret ideas", url: "secret", isPrivate: true });

  expect(await searchEverything(owner.viewer, { q: "IDEA" })).toEqual([
    { group: "boards", title: "💡 Ideas", href: "/boards/ideas" },
    { group: "boards", title: "Secret ideas", href: "/boards/secret" },
    { group: "people", title: "Nora Ideas", href: `/dashboard/users/${member.userId}` },
  ]);
  expect(await searchEverything(member.viewer, { q: "idea" })).toEqual([{ group: "boards", title: "💡 Ideas", href: "/boards/ideas" }]);
});

test("nothing typed finds nothing, and nobody finds anything signed out", async () => {
  await aSite();
  const { viewer } = await aMember();

  expect(await searchEverything(viewer, {})).toEqual([]);
  expect(await searchEverything(viewer, { q: "%\0_".repeat(200) })).toEqual([]);
  expect(await searchEverything((await anOwner()).viewer, { q: "%\0_".repeat(200) })).toEqual([]);
  await expect(searchEverything(null, { q: "idea" })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});
