import type { ReactNode } from "react";

/** A narrow page with one form. Each begins at the same height, so that nothing jumps from one to the next. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return <div className="mx-auto grid w-full max-w-md gap-6 sm:pt-[8vh]">{children}</div>;
}
