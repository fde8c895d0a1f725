"use client";

import { useEffect, useRef } from "react";
import { fieldId } from "./field-id.ts";
import type { FormState } from "./form.tsx";
import { Link } from "./link.tsx";

const LINK = "inline-flex min-h-6 items-center font-medium underline underline-offset-4 pointer-coarse:min-h-11";

/** What is wrong with a form, with a link to each field. Takes the focus, so that nobody misses it. */
export function ErrorSummary({ state }: { state: FormState }) {
  const summary = useRef<HTMLDivElement>(null);
  const problems = Object.entries(state.fieldErrors ?? {});

  // Each answer is a new state, the same error twice too.
  useEffect(() => {
    if (state.error) summary.current?.focus();
  }, [state]);

  return (
    <div
      ref={summary}
      role="alert"
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: where no script can, the browser takes whoever sent the form to what is wrong with it.
      autoFocus
      className="col-span-full grid gap-2 rounded-lg border border-danger-ink bg-danger-surface p-4 text-danger-ink"
    >
      {problems.length !== 1 && <p className="font-semibold">{state.error}</p>}
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
      {state.link && (
        <Link href={state.link.href} className={`${LINK} justify-self-start`}>
          {state.link.text}
        </Link>
      )}
    </div>
  );
}
