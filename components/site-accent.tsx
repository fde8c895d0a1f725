"use client";

import { useEffect, useState } from "react";

type SiteAccentProps = {
  /** Six hexadecimal digits. */
  color: string;
  nonce: string | undefined;
};

/**
 * The owner's color. A style element with the page's nonce, for the security policy allows no style attribute. A color that changes
 * while the page stays open is set as a property: a later answer's nonce is none of this page's.
 */
export function SiteAccent({ color, nonce }: SiteAccentProps) {
  const [first] = useState({ color, nonce });
  useEffect(() => document.documentElement.style.setProperty("--site-accent", `#${color}`), [color]);
  // A browser hides the nonce once it has read it, which React would take for a difference.
  return (
    <style nonce={first.nonce} suppressHydrationWarning>
      {`:root{--site-accent:#${first.color}}`}
    </style>
  );
}
