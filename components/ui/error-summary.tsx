"use client";

import Link from "next/link";
import { useEffect, useRef } from "react";
import { fieldId } from "./field-id.ts";
import type { FormState } from "./form.tsx";

/** What is wrong with a form, with a link to each field. Takes the focus, so that nobody misses it. */
export function ErrorSummary({ state }: { state: FormState }) {
  const summary = useRef<HTMLDivElement>(null);
  const problems = Object.entries(state.fieldErrors ?? {});
  const [first] = problems;

  // Each answer is a new state, the same error twice too.
  useEffect(() => {
    if (state.error) summary.current?.focus();
  }, [state]);

  return (
    <div ref={summary} role="alert" tabIndex={-1} autoFocus className="rounded-lg border border-danger-ink bg-danger-surface p-4 text-danger-ink">
      <p className="font-semibold">{problems.length === 1 && first ? <FieldLink name={first[0]} text={first[1]} /> : state.error}</p>
      {problems.length > 1 && (
        <ul className="mt-2 list-disc ps-5">
          {problems.map(([name, problem]) => (
            <li key={name}>
              <FieldLink name={name} text={problem} />
            </li>
          ))}
        </ul>
      )}
      {state.link && (
        <p className="mt-2">
          <Link href={state.link.href} className="font-medium underline underline-offset-4">
            {state.link.text}
          </Link>
        </p>
      )}
    </div>
  );
}

function FieldLink({ name, text }: { name: string; text: string }) {
  return (
    <a href={`#${fieldId(name)}`} className="underline underline-offset-4">
      {text}
    </a>
  );
}
