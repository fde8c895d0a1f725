"use client";

import { useState } from "react";
import { pageLocale } from "#components/ui/page-locale";
import { directionOf } from "#lib/locales";
import FailedPage from "./error.tsx";
import "./globals.css";

/** What is shown where not even the layout could be made. */
export default function FailedSite() {
  // Asked once: what is drawn here replaces the page that knew it.
  const [locale] = useState(pageLocale);
  return (
    <html lang={locale} dir={directionOf(locale)}>
      <body className="font-sans antialiased">
        <main id="content" className="mx-auto grid max-w-5xl gap-8 px-4 py-16 sm:px-6">
          <FailedPage />
        </main>
      </body>
    </html>
  );
}
