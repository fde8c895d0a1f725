import { expect, test } from "vitest";
import { databaseKind } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { createBoard } from "../boards.ts";
import { aMember, anOwner, aSite } from "../testing/people.ts";
import { describeStorage } from "./storage.ts";

useDatabase();

test("an owner reads where the data are and how much of it there is, and no password", async () => {
  await aSite();
  const { viewer } = await anOwner();
  await createBoard(viewer, { name: "Ideas" });
  await createBoard(viewer, { name: "Secrets", isPrivate: true });

  const storage = await describeStorage(viewer);

  expect(storage).toMatchObject({ kind: databaseKind(), version: expect.stringMatching(/^\d+/), bytes: expect.any(Number) });
  expect(storage.bytes).toBeGreaterThan(100_000);
  expect(storage.place).not.toMatch(/@|postgres:/);
  expect(storage.counts).toEqual({
    boards: { rows: 2, isExact: true },
    posts: { rows: 0, isExact: true },
    people: { rows: 1, isExact: true },
    mails: { rows: 0, isExact: true },
    pictures: { rows: 0, isExact: true },
  });
});

test("nobody else does", async () => {
  const { viewer } = await aMember();

  await expect(describeStorage(viewer)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(describeStorage(null)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});
