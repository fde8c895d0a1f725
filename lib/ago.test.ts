import { expect, test } from "vitest";
import { ago } from "./ago.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const HOUR_S = 3600;

test.for([
  [-600, "now"],
  [0, "now"],
  [59, "59 sec. ago"],
  [60, "1 min. ago"],
  [3 * HOUR_S, "3 hr. ago"],
  [24 * HOUR_S, "yesterday"],
  [7 * 24 * HOUR_S - 1, "6 days ago"],
  [7 * 24 * HOUR_S, null],
] as const)("%i seconds ago is said as %s", ([seconds, words]) => {
  expect(ago(new Date(NOW - seconds * 1000), NOW, "en")).toBe(words);
});

test("it is said in the reader's language", () => {
  expect(ago(new Date(NOW - 120_000), NOW, "de")).toBe("vor 2 Min.");
});
