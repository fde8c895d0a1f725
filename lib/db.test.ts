import { expect, test } from "vitest";
import { db, isDuplicate, isUnavailable } from "#lib/db";
import { useDatabase } from "#lib/testing/database";

useDatabase();

const board = { name: "Ideas", url: "ideas", color: "4f46e5" };

test("a second row with a taken value is told from other failures, by its column", async () => {
  await db.board.create({ data: board });

  const error = await db.board.create({ data: board }).catch((reason: unknown) => reason);

  expect(isDuplicate(error)).toBe(true);
  expect(isDuplicate(error, "url")).toBe(true);
  expect(isDuplicate(error, "name")).toBe(false);
  expect(isUnavailable(error)).toBe(false);
});

test("the database is empty", async () => {
  expect(await db.board.count()).toBe(0);
});
