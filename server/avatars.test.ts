import { expect, test } from "vitest";
import { useDatabase } from "#lib/testing/database";
import { drawAvatar, initials } from "./avatars.ts";
import { aMember } from "./testing/people.ts";

useDatabase();

test.for([
  ["Ada Lovelace", "AL"],
  ["ada", "A"],
  ["Ada King Lovelace", "AL"],
  ["jean-luc picard", "JP"],
  ["李小龍", "李"],
  ["Ünal Öz", "ÜÖ"],
  ["e\u0301lise", "E\u0301"],
  ["🎉", "🎉"],
  ["👨‍👩‍👧 ", "👨‍👩‍👧"],
  ["…", "…"],
  ["<script>", "S"],
  ["<", "<"],
  ["ß", "SS"],
] as const)("the initials of %j are %j", ([name, expected]) => {
  expect(initials(name)).toBe(expected);
});

test("a picture holds the initials and nothing else that the person wrote", async () => {
  const { userId } = await aMember({ name: "<&\"'" });

  const svg = await drawAvatar(userId);

  expect(svg).toMatch(/^<svg [^>]+><rect [^>]+\/><text [^>]+>&#60;<\/text><\/svg>$/);
});

test("a person's colour stays the same", async () => {
  const { userId } = await aMember();

  expect(await drawAvatar(userId)).toBe(await drawAvatar(userId));
});

test.for(["0190a8a0-0000-7000-8000-00000000000a", "x", "", "../../etc/passwd", "%00"])("there is no picture of %j", async (userId) => {
  await expect(drawAvatar(userId)).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 });
});
