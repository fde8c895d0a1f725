const DAY_S = 86_400;
const UNITS = [
  ["day", DAY_S],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** How long before `now` that was, such as "3 hr. ago"; null from a week on. What a clock that was ahead has dated later than now was just now. */
export function ago(at: Date, now: number, locale: string): string | null {
  const seconds = Math.max(0, (now - at.getTime()) / 1000);
  if (seconds >= 7 * DAY_S) return null;
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? (["second", 1] as const);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" }).format(-Math.floor(seconds / size), unit);
}
