import { expect, test } from "vitest";
import { directionOf } from "./locales.ts";

test("Arabic, Hebrew and their like run from right to left", () => {
  expect(["ar", "ar-EG", "he", "fa"].map(directionOf)).toEqual(["rtl", "rtl", "rtl", "rtl"]);
  expect(["en", "de-CH", "arn"].map(directionOf)).toEqual(["ltr", "ltr", "ltr"]);
});
