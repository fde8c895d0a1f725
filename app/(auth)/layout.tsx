import type { ReactNode } from "react";

/** A narrow page with one form. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return <div className="mx-auto grid w-full max-w-md gap-8">{children}</div>;
}
