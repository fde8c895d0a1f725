import { expect, test } from "vitest";
import { initials } from "./initials.ts";

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
