import { expect, test } from "vitest";
import { compareTimes, quantile } from "./timing.ts";

const HUNDRED = Array.from({ length: 100 }, (_, index) => 100 - index);

test.for([
  [0.5, 50],
  [0.95, 95],
  [0.99, 99],
  [0.999, 100],
  [1, 100],
  [0, 1],
] as const)("of the times from 100 down to 1 ms a share of %d took at most %d ms", ([share, ms]) => {
  expect(quantile(HUNDRED, share)).toBe(ms);
});

test("of no times nobody can say how long they took", () => {
  expect(quantile([], 0.99)).toBeNaN();
});

test("times that differ by chance are alike; those that are longer by a little every time, or by much, are not", () => {
  const shifted = (ms: number) => HUNDRED.map((time) => time / 10 + ms);

  expect(compareTimes(shifted(0), shifted(0.1)).isAlike).toBe(true);
  expect(compareTimes(shifted(0), shifted(2)).isAlike).toBe(false);
  expect(compareTimes([1, 100], [50, 150]).isAlike).toBe(false);
});

test("p is that of the normal approximation", () => {
  // U = 0 of five and five: z = 12.5 / sqrt(25 * 11 / 12) = 2.611.
  expect(compareTimes([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]).figure).toBe("medians 3.0 and 8.0 ms, p = 0.01");
});
