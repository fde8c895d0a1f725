"use client";

import { ErrorPage } from "#components/error-page";

/** A page that failed. Next shows it inside the layout where that still works. */
export default function FailedPage({ error }: { error: Error & { digest?: string } }) {
  return <ErrorPage digest={error.digest} />;
}
