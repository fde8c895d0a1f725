"use client";

import FailedPage from "./error.tsx";
import "./globals.css";

/** What is shown where not even the layout could be made. */
export default function FailedSite() {
  return (
    <html lang="en" dir="ltr">
      <body className="font-sans antialiased">
        <main id="content" className="mx-auto grid max-w-5xl gap-8 px-4 py-16 sm:px-6">
          <FailedPage />
        </main>
      </body>
    </html>
  );
}
