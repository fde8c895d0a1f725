import { expect, test } from "vitest";
import { nextPath } from "./next-path.ts";

test("an address on this site is gone on to, with query and fragment", () => {
  expect(nextPath("/boards/ideas?page=2#top")).toBe("/boards/ideas?page=2#top");
  expect(nextPath("/boards/アイデア")).toBe("/boards/%E3%82%A2%E3%82%A4%E3%83%87%E3%82%A2");
});

test.each([
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "\\\\evil.example",
  "javascript:alert(1)",
  "boards",
  "",
  undefined,
  ["/"],
  7,
])("%j leads elsewhere and is replaced", (value) => {
  expect(nextPath(value, "/dashboard")).toBe("/dashboard");
});
