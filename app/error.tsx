"use client";

import { ProblemPage } from "#components/problem-page";
import { pageLocale } from "#components/ui/page-locale";
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
