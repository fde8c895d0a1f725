/** What came on each day, or in each span of days. */
export type Series = { name: string; counts: number[] };

/** What a bar stands for: its first and its last day, as `YYYY-MM-DD`. */
export type Span = { from: string; to: string };

/** How many days a bar stands for: of many, a week, for thinner ones could not be told apart on a phone. */
export function daysPerBar(days: number): number {
  return days > 45 ? 7 : 1;
}

/** The spans that the bars stand for, and what came in each, of as many kinds as are given. The newest ends with the newest day; the oldest has the days that are left. */
export function inSpans<T extends readonly Series[]>(dates: string[], series: T): { spans: Span[]; series: { [K in keyof T]: Series } } {
  const length = daysPerBar(dates.length);
  const ends = [...dates.keys()].filter((day) => (dates.length - 1 - day) % length === 0);
  const startOf = (end: number) => Math.max(0, end - length + 1);
  return {
    spans: ends.map((end) => ({ from: dates[startOf(end)] ?? "", to: dates[end] ?? "" })),
    series: series.map(({ name, counts }) => ({
      name,
      counts: ends.map((end) => counts.slice(startOf(end), end + 1).reduce((sum, count) => sum + count, 0)),
    })) as { [K in keyof T]: Series },
  };
}
