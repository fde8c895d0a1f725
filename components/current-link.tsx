"use client";

import { usePathname } from "next/navigation";
import type { ComponentProps } from "react";
import { Link } from "./ui/link.tsx";

/** A link that is marked where it leads to the page one is on, or to what that page is a part of: whatever has an address below `covers`. */
export function CurrentLink({ covers, ...link }: Omit<ComponentProps<typeof Link>, "aria-current"> & { covers: string }) {
  const path = usePathname();
  const isWithin = path.startsWith(`${covers}/`);
  return <Link aria-current={path === link.href ? "page" : isWithin ? "true" : undefined} {...link} />;
}
