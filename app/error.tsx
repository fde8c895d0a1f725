"use client";

import { ProblemPage } from "#components/problem-page";
import { problems } from "#messages/en.json";

/** A page that failed where nobody expected it. Needs nothing that could have failed, too. */
export default function FailedPage() {
  const { title, text, retry } = problems.failed;
  return (
    <>
      <title>{title}</title>
      <ProblemPage title={title} text={text} retry={retry} home={problems.home} />
    </>
  );
}
