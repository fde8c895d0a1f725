/** The milliseconds of a minute. */
export const MINUTE_MS = 60 * 1000;

/** The milliseconds of an hour. */
export const HOUR_MS = 60 * MINUTE_MS;

/** The milliseconds of 24 hours. */
export const DAY_MS = 24 * HOUR_MS;

/** A day of a calendar: its date as `YYYY-MM-DD`, and the instant at which it begins in some time zone. */
export type Day = { date: string; start: Date };

/** The last `count` days in `timeZone` up to the one that `now` is in, the oldest first. None is left out where clocks change. */
export function daysUntil(now: Date, count: number, timeZone: string): Day[] {
  const clock = clockOf(timeZone);
  const today = Date.parse(`${dateAt(clock, now.getTime())}T00:00Z`);
  return Array.from({ length: count }, (_, index) => {
    const midnight = today - (count - 1 - index) * DAY_MS;
    return { date: new Date(midnight).toISOString().slice(0, 10), start: startOfDay(clock, midnight) };
  });
}

/** `midnight` is that of the date in UTC. Where clocks jump over midnight, the day begins later; where they pass it twice, at the first. */
function startOfDay(clock: Intl.DateTimeFormat, midnight: number): Date {
  const date = new Date(midnight).toISOString().slice(0, 10);
  // With the offset from before a change of clocks, and with that from after it: one of them is right.
  const candidates = [midnight - DAY_MS, midnight + DAY_MS].map((instant) => midnight - offsetAt(clock, instant)).sort((a, b) => a - b);
  const start = candidates.find((instant) => dateAt(clock, instant) === date);
  // A date that a place skipped whole, as Samoa did, begins and ends at once.
  return new Date(start ?? Math.max(...candidates));
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  // Swedish dates are ISO's.
  return new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
}

function dateAt(clock: Intl.DateTimeFormat, instant: number): string {
  return clock.format(instant).slice(0, 10);
}

/** How far local time is ahead of UTC, in milliseconds. */
function offsetAt(clock: Intl.DateTimeFormat, instant: number): number {
  return Date.parse(`${clock.format(instant).replace(" ", "T")}Z`) - instant;
}
