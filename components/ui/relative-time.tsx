"use client";

import { useSyncExternalStore } from "react";

type RelativeTimeProps = { at: string; date: string; whole: string; locale: string };

const REFRESH_MS = 30_000;
const DAY_S = 86_400;
const UNITS = [
  ["day", DAY_S],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** The date as the server wrote it; once the page is alive, "3 h ago" for what is younger than a week. */
export function RelativeTime({ at, date, whole, locale }: RelativeTimeProps) {
  const now = useSyncExternalStore(subscribe, currentTick, () => null);
  return (
    <time dateTime={at} title={whole} className="whitespace-nowrap">
      {(now !== null && ago(new Date(at), now, locale)) || date}
    </time>
  );
}

function ago(at: Date, now: number, locale: string): string | null {
  const seconds = Math.max(0, (now - at.getTime()) / 1000);
  if (seconds >= 7 * DAY_S) return null;
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? (["second", 1] as const);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "narrow" }).format(-Math.floor(seconds / size), unit);
}

function subscribe(onTick: () => void): () => void {
  const timer = setInterval(onTick, REFRESH_MS);
  return () => clearInterval(timer);
}

/** The same value within a tick, as React asks of a store. */
function currentTick(): number {
  return Math.floor(Date.now() / REFRESH_MS) * REFRESH_MS + REFRESH_MS;
}
