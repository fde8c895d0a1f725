"use client";

import { ErrorPage } from "#components/error-page";
import "./globals.css";

/** What is shown where not even the layout could be made. */
export default function FailedSite({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en" dir="ltr">
      <body className="font-sans antialiased">
        <main id="content" className="mx-auto max-w-5xl px-4 py-16 sm:px-6">
          <ErrorPage digest={error.digest} />
        </main>
      </body>
    </html>
  );
}
