import { expect, test } from "vitest";
import { inSpans } from "./chart-spans.ts";

const dates = Array.from({ length: 90 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10));
const counts = dates.map((_, day) => day);

test("a month is drawn by day", () => {
  const { spans, series } = inSpans(dates.slice(0, 30), [{ name: "posts", counts: counts.slice(0, 30) }]);

  expect(spans).toEqual(dates.slice(0, 30).map((date) => ({ from: date, to: date })));
  expect(series).toEqual([{ name: "posts", counts: counts.slice(0, 30) }]);
});

test("ninety days are drawn by whole weeks, the newest of which ends with the newest day", () => {
  const { spans, series } = inSpans(dates, [{ name: "posts", counts }]);

  expect([spans.length, spans[0], spans.at(-1)]).toEqual([12, { from: "2026-01-07", to: "2026-01-13" }, { from: "2026-03-25", to: "2026-03-31" }]);
  expect(series[0]?.counts.slice(0, 2)).toEqual([6 + 7 + 8 + 9 + 10 + 11 + 12, 13 + 14 + 15 + 16 + 17 + 18 + 19]);
});
