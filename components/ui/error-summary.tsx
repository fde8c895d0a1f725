"use client";

import { useEffect, useRef } from "react";
import { fieldId } from "./field-id.ts";
import type { FormState } from "./form.tsx";
import { Link } from "./link.tsx";

const LINK = "inline-flex min-h-6 items-center font-medium underline underline-offset-4 pointer-coarse:min-h-11";

type ErrorSummaryProps = {
  /** What the last try brought. */
  tried: FormState;
  /** What of its field errors nobody has taken up yet. */
  fieldErrors: FormState["fieldErrors"];
};

/** What is wrong with a form, if anything, with a link to each field. Takes the focus after a try, so that nobody misses it; what is being mended is said no longer. */
export function ErrorSummary({ tried, fieldErrors = {} }: ErrorSummaryProps) {
  const summary = useRef<HTMLDivElement>(null);
  const problems = Object.entries(fieldErrors);
  const found = Object.keys(tried.fieldErrors ?? {}).length;

  // Each answer is a new state, the same error twice too.
  useEffect(() => {
    if (tried.error) summary.current?.focus();
  }, [tried]);

  if (!tried.error || (found > 0 && problems.length === 0)) return null;
  return (
    <div
      ref={summary}
      role="alert"
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: where no script can, the browser takes whoever sent the form to what is wrong with it.
      autoFocus
      className="col-span-full grid gap-2 rounded-lg border border-danger-ink bg-danger-surface p-4 text-danger-ink -outline-offset-2 focus-visible:outline-danger-ink"
    >
      {/* It may count them, and one alone needs no headline. */}
      {problems.length === found && found !== 1 && <p className="font-semibold">{tried.error}</p>}
      {problems.length > 0 && (
        <ul className={problems.length > 1 ? "list-disc ps-5" : ""}>
          {problems.map(([name, problem]) => (
            <li key={name}>
              <a href={`#${fieldId(name)}`} className={LINK}>
                {problem}
              </a>
            </li>
          ))}
        </ul>
      )}
      {tried.link && (
        <Link href={tried.link.href} className={`${LINK} justify-self-start`}>
          {tried.link.text}
        </Link>
      )}
    </div>
  );
}
