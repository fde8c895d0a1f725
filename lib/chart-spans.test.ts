import { expect, test } from "vitest";
import { inSpans } from "./chart-spans.ts";

const dates = Array.from({ length: 90 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10));
const counts = dates.map((_, day) => day);

test("a month is drawn by day", () => {
  const { spans, series } = inSpans(dates.slice(0, 30), [{ name: "posts", counts: counts.slice(0, 30) }]);

  expect(spans).toEqual(dates.slice(0, 30).map((date) => ({ from: date, to: date })));
  expect(series).toEqual([{ name: "posts", counts: counts.slice(0, 30) }]);
});

test("ninety days are drawn by week, the newest of which ends with the newest day; what is left is the oldest", () => {
  const { spans, series } = inSpans(dates, [{ name: "posts", counts }]);

  expect([spans.length, spans[0], spans.at(-1)]).toEqual([13, { from: "2026-01-01", to: "2026-01-06" }, { from: "2026-03-25", to: "2026-03-31" }]);
  expect(series[0]?.counts.slice(0, 2)).toEqual([0 + 1 + 2 + 3 + 4 + 5, 6 + 7 + 8 + 9 + 10 + 11 + 12]);
  expect(series[0]?.counts.reduce((sum, count) => sum + count, 0)).toBe(counts.reduce((sum, count) => sum + count, 0));
});
