"use client";

import { ProblemPage } from "#components/problem-page";
import words from "#messages/en.failure.json";

/** A page that failed where nobody expected it. Needs nothing that could have failed, too. */
export default function FailedPage() {
  return (
    <>
      <title>{words.title}</title>
      <ProblemPage {...words} />
    </>
  );
}
