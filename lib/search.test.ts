import { expect, test } from "vitest";
import { foldForSearch, likePattern, searchTextOf, typedQuery, wordsOf, wordsOfTyped } from "./search.ts";

test.for([
  ["  Café   Über ", "cafe uber"],
  ["ﬁne ①", "fine 1"],
  ["İstanbul", "istanbul"],
  ["إعدادات", "اعدادات"],
] as const)("%j is compared as %j", ([text, folded]) => {
  expect(foldForSearch(text)).toBe(folded);
});

test("what is stored for search ends where its column does, also where folding makes it longer", () => {
  expect(searchTextOf("ﷺ".repeat(10), 20)).toHaveLength(20);
  expect(searchTextOf("🎉".repeat(3), 2)).toBe("🎉🎉");
});

test("what was typed is on one line, whole, and no longer than anybody looks for", () => {
  expect(typedQuery(" a\0b\nc ", 10)).toBe("a b c");
  expect(typedQuery("a\ud83c", 10)).toBe("a\ufffd");
  expect(typedQuery("🎉🎉🎉", 2)).toBe("🎉🎉");
});

test("what hyphens and dots join is several words, each told once", () => {
  expect(wordsOf("Wishing-well wishing_well and v1.2")).toEqual(["wishing", "well", "and", "v1", "2"]);
  expect(wordsOfTyped("an e-")).toEqual(["an", "e"]);
});

test("no character of a word is a wildcard", () => {
  expect(likePattern("50%_a\\b")).toBe("50\\%\\_a\\\\b");
});
