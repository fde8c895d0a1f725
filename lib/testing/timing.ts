/** Whether two samples of times, in milliseconds, look like one: medians less than 5 ms apart, and p above 0.05; and both in words. */
export function compareTimes(first: number[], second: number[]): { isAlike: boolean; figure: string } {
  const p = mannWhitneyP(first, second);
  const isAlike = Math.abs(median(first) - median(second)) < 5 && p > 0.05;
  return { isAlike, figure: `medians ${median(first).toFixed(1)} and ${median(second).toFixed(1)} ms, p = ${p.toFixed(2)}` };
}

/** How long so large a `share` of `times`, in milliseconds and any order, took at most: 0.99 for p99. NaN of none. */
export function quantile(times: number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(times.length * share) - 1)] ?? Number.NaN;
}

/** The middle of `values`, in any order; between two of them, half way. 0 of none. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2;
}

/** Two-sided p of the Mann-Whitney U test, by its normal approximation: how likely two such samples come from one distribution. */
function mannWhitneyP(first: number[], second: number[]): number {
  const wins = first.reduce((sum, a) => sum + second.reduce((count, b) => count + (a > b ? 1 : a === b ? 0.5 : 0), 0), 0);
  const pairs = first.length * second.length;
  const z = Math.abs(wins - pairs / 2) / Math.sqrt((pairs * (first.length + second.length + 1)) / 12);
  // Abramowitz and Stegun 26.2.17.
  const t = 1 / (1 + 0.2316419 * z);
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return Math.min(1, 2 * tail);
}
