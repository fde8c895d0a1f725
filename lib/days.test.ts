import fc from "fast-check";
import { expect, test } from "vitest";
import { daysUntil, HOUR_MS } from "./days.ts";

/** How many hours each of the days has, but the last, which is not over. */
function hoursOf(now: string, count: number, timeZone: string): number[] {
  const starts = daysUntil(new Date(now), count, timeZone).map(({ start }) => start.getTime());
  return starts.slice(1).map((start, index) => (start - (starts[index] ?? 0)) / HOUR_MS);
}

test("days begin at the zone's own midnight", () => {
  expect(daysUntil(new Date("2026-06-01T22:30Z"), 2, "Europe/Berlin")).toEqual([
    { date: "2026-06-01", start: new Date("2026-05-31T22:00Z") },
    { date: "2026-06-02", start: new Date("2026-06-01T22:00Z") },
  ]);
  expect(daysUntil(new Date("2026-06-01T22:30Z"), 1, "UTC")).toEqual([{ date: "2026-06-01", start: new Date("2026-06-01T00:00Z") }]);
  expect(daysUntil(new Date("2026-06-01T18:14Z"), 1, "Asia/Kathmandu")).toEqual([{ date: "2026-06-01", start: new Date("2026-05-31T18:15Z") }]);
});

test.for([
  ["clocks go forward", "2026-03-30T12:00Z", "Europe/Berlin", [24, 23]],
  ["clocks go back", "2026-10-26T12:00Z", "Europe/Berlin", [24, 25]],
  ["clocks jump over midnight", "2025-09-08T12:00Z", "America/Santiago", [24, 23]],
  ["clocks fall back over midnight", "2025-04-07T12:00Z", "America/Santiago", [25, 24]],
  ["midnight comes twice", "2025-11-03T12:00Z", "America/Havana", [24, 25]],
  ["a date is skipped whole", "2012-01-01T12:00Z", "Pacific/Apia", [0, 24, 24]],
] as const)("days on which %s are as long as they were", ([, now, timeZone, hours]) => {
  expect(hoursOf(now, hours.length + 1, timeZone)).toEqual(hours);
});

test("in every zone and at any time the days follow each other and the last one holds now", () => {
  const zones = Intl.supportedValuesOf("timeZone");
  const instants = fc.date({ min: new Date("2000-01-01T00:00Z"), max: new Date("2040-01-01T00:00Z"), noInvalidDate: true });
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (timeZone, now) => {
      const days = daysUntil(now, 4, timeZone);
      const starts = days.map(({ start }) => start.getTime());

      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      expect(starts.at(-1)).toBeLessThanOrEqual(now.getTime());
      expect(now.getTime() - (starts.at(-1) ?? 0)).toBeLessThanOrEqual(25 * HOUR_MS);
    }),
    { numRuns: 300 },
  );
});
