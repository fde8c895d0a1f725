import type { ReactNode } from "react";

/** A narrow page with one form, in the middle of the window. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return <div className="centred mx-auto grid w-full max-w-md gap-6">{children}</div>;
}
