import { expect, test } from "vitest";
import { askedLocale, requestedLocale } from "./accept-language.ts";

test.for([
  ["de", "de"],
  ["fr, de-AT;q=0.8, en;q=0.5", "de"],
  ["ar-EG", "ar"],
  ["en;q=0.1, de;q=0.9", "de"],
  ["fr", null],
  ["*", null],
  ["", null],
  [null, null],
  ["de;q=0", null],
  ["not a tag!, __proto__, x-klingon, de", "de"],
  [`${"fr,".repeat(200)}de`, null],
] as const)("who asks by %j is answered in %s", ([header, locale]) => {
  expect(askedLocale(header)).toBe(locale);
});

test("who asks for no language that there is gets the site's, or English where that is none either", () => {
  expect([requestedLocale("fr", "de"), requestedLocale("fr", "en-XA"), requestedLocale("ar", "de")]).toEqual(["de", "en", "ar"]);
});
