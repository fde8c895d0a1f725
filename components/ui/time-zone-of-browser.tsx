"use client";

import { useEffect, useState } from "react";

/** Tells a form in which time zone its sender lives, where the browser says so. */
export function TimeZoneOfBrowser({ name }: { name: string }) {
  const [timeZone, setTimeZone] = useState("");
  useEffect(() => setTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone ?? ""), []);
  return <input type="hidden" name={name} value={timeZone} />;
}
