"use client";

import { ProblemPage } from "#components/problem-page";
import words from "#messages/failed-page.json";

/** A page that failed where nobody expected it. Needs nothing that could have failed, too. */
export default function FailedPage() {
  const { title, ...rest } = words[pageLocale()];
  return (
    <>
      <title>{title}</title>
      <ProblemPage title={title} {...rest} />
    </>
  );
}

/** The language that the page already has; on the server nobody knows it here. */
export function pageLocale(): keyof typeof words {
  const language = typeof document === "undefined" ? "" : document.documentElement.lang;
  return language in words ? (language as keyof typeof words) : "en";
}
