import NextLink from "next/link";
import type { AriaAttributes, ReactNode } from "react";
import { type ButtonKind, buttonStyle } from "./button-style.ts";
import { LinkWait } from "./link-wait.tsx";

type LinkProps = { href: string; children: ReactNode; className?: string; rel?: string } & Pick<AriaAttributes, "aria-current" | "aria-label">;

/** A link within the site. Nothing is fetched before it is followed: a list of twenty would ask the server for twenty pages. */
export function Link({ className = "text-accent-ink underline underline-offset-4 hover:decoration-2", children, ...link }: LinkProps) {
  return (
    <NextLink prefetch={false} className={className} {...link}>
      {children}
      <LinkWait />
    </NextLink>
  );
}

/** How a link looks that stands by itself, beside no sentence: as high as a pointer and a finger need. */
export const STANDALONE =
  "inline-flex min-h-8 items-center text-accent-ink underline underline-offset-4 hover:decoration-2 pointer-coarse:min-h-11 pointer-coarse:min-w-11";

/** Such a link; `className` adds to how it looks. */
export function StandaloneLink({ className = "", ...link }: LinkProps) {
  return <Link className={`${STANDALONE} ${className}`} {...link} />;
}

/** A link that looks like a button, for what begins on another page. */
export function ButtonLink({ kind = "primary", ...link }: Omit<LinkProps, "className"> & { kind?: ButtonKind }) {
  return <Link className={buttonStyle(kind)} {...link} />;
}

type FileLinkProps = Pick<LinkProps, "href" | "children"> & { kind: ButtonKind };

/** Such a link to what is no page, as a feed: the browser follows it by itself. */
export function FileLink({ href, kind, children }: FileLinkProps) {
  return (
    <a href={href} className={buttonStyle(kind)}>
      {children}
    </a>
  );
}
