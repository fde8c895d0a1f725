import type { ReactNode } from "react";
import { MARK } from "#lib/mark";
import { buttonStyle } from "./ui/button-style.ts";
import { ButtonLink } from "./ui/link.tsx";

type ProblemPageProps = {
  title: string;
  text: string;
  /** To the first page; not where that would fail, too. */
  home?: string;
  /** Where signing in may be what is missing. */
  signIn?: string;
  /** Where trying again makes sense. */
  retry?: string;
  /** What the site's owner finds in the log. */
  clue?: ReactNode;
};

// An empty reference is the address shown, with its query (RFC 3986, 5.2.2).
const HERE = "";

/** A page instead of the one that was asked for: what is the matter, and what to do next. */
export function ProblemPage({ title, text, home, signIn, retry, clue }: ProblemPageProps) {
  return (
    <div className="mx-auto grid max-w-xl justify-items-center gap-6 py-8 text-center sm:py-20">
      <NothingHeard />
      <div className="grid gap-3">
        <h1 className="font-semibold text-3xl">{title}</h1>
        <p className="text-balance text-lg text-muted">{text}</p>
      </div>
      <div className="grid w-full max-w-xs gap-3 sm:flex sm:w-auto sm:max-w-none sm:justify-center">
        {retry && (
          // Not the router's link: everything is asked for anew.
          <a href={HERE} className={buttonStyle("primary")}>
            {retry}
          </a>
        )}
        {home && (
          <ButtonLink href="/" kind={retry ? "secondary" : "primary"}>
            {home}
          </ButtonLink>
        )}
        {signIn && (
          <ButtonLink href="/login" kind="secondary">
            {signIn}
          </ButtonLink>
        )}
      </div>
      {clue && <p className="text-balance text-muted text-sm">{clue}</p>}
    </div>
  );
}

/** Heard's mark with nothing to hear in it. */
function NothingHeard() {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className="size-20 text-line-strong">
      <path d={MARK.bubble} fill="none" stroke="currentColor" strokeWidth="1.2" strokeDasharray="2.4 2.4" strokeLinecap="round" />
      <path d="M11 14.5h.01M16 14.5h.01M21 14.5h.01" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  );
}
