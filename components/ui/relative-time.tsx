"use client";

import { useSyncExternalStore } from "react";
import { ago } from "#lib/ago";

type RelativeTimeProps = { at: string; date: string; whole: string; locale: string };

const REFRESH_MS = 30_000;

/** The date as the server wrote it; once the page is alive, "3 hr. ago" for what is younger than a week. */
export function RelativeTime({ at, date, whole, locale }: RelativeTimeProps) {
  const now = useSyncExternalStore(subscribe, currentTick, () => null);
  return (
    <time dateTime={at} title={whole} className="whitespace-nowrap">
      {(now !== null && ago(new Date(at), now, locale)) || date}
    </time>
  );
}

function subscribe(onTick: () => void): () => void {
  const timer = setInterval(onTick, REFRESH_MS);
  return () => clearInterval(timer);
}

/** The same value within a tick, as React asks of a store. */
function currentTick(): number {
  return Math.floor(Date.now() / REFRESH_MS) * REFRESH_MS + REFRESH_MS;
}
