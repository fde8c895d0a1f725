import type { ReactNode } from "react";
import { SiteMark } from "./site-mark.tsx";
import { Card } from "./ui/card.tsx";

type AuthCardProps = {
  logo: string | null;
  title: ReactNode;
  intro?: ReactNode;
  /** What just happened, or stands in the way. */
  notice?: ReactNode;
  /** What to do on the page; without it the page is what it says. */
  children?: ReactNode;
  /** Where else one may have meant to go. */
  footer?: ReactNode;
};

/** A page of one thing to do: the site's mark and a headline, a sheet with the form, and the way elsewhere below it. */
export function AuthCard({ logo, title, intro, notice, children, footer }: AuthCardProps) {
  return (
    <>
      <header className="grid justify-items-center gap-2 text-center">
        <SiteMark logo={logo} className="mb-2 size-11 max-w-64" />
        <h1 className="font-semibold text-2xl">{title}</h1>
        {intro && <div className="text-balance text-muted">{intro}</div>}
      </header>
      {notice}
      {children && <Card>{children}</Card>}
      {footer && <div className="text-center text-muted text-sm">{footer}</div>}
    </>
  );
}
