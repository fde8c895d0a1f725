/** What came on each day, or in each span of days. */
export type Series = { name: string; counts: number[] };

/** What a bar stands for: its first and its last day, as `YYYY-MM-DD`. */
export type Span = { from: string; to: string };

/** How many days a bar stands for: of many, a week, for thinner ones could not be told apart on a phone. */
export function daysPerBar(days: number): number {
  return days > 45 ? 7 : 1;
}

/** Of how many days, the newest, bars are drawn: every one is whole. Of 90 days, 84. */
export function daysDrawn(days: number): number {
  return days - (days % daysPerBar(days));
}

/** The spans that the bars stand for, and what came in each, of as many kinds as are given. The newest ends with the newest day. */
export function inSpans<T extends readonly Series[]>(dates: string[], series: T): { spans: Span[]; series: { [K in keyof T]: Series } } {
  const length = daysPerBar(dates.length);
  const starts = [...dates.keys()].filter((day) => (dates.length - day) % length === 0);
  return {
    spans: starts.map((start) => ({ from: dates[start] ?? "", to: dates[start + length - 1] ?? "" })),
    series: series.map(({ name, counts }) => ({
      name,
      counts: starts.map((start) => counts.slice(start, start + length).reduce((sum, count) => sum + count, 0)),
    })) as { [K in keyof T]: Series },
  };
}
