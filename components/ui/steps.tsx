"use client";

import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { buttonStyle } from "./button-style.ts";
import { isSendKey, useFormState } from "./form.tsx";

/** A part of a long form. `id` is also its place in the address. */
export type Step = { id: string; title: string; content: ReactNode };

type StepsProps = {
  steps: Step[];
  words: { progress: string; back: string; next: string };
  /** What sends the form: shown with the last step. */
  submit: ReactNode;
};

/**
 * A form's parts one after another; going back and forth in the browser works, too. Without JavaScript, and once the form has come
 * back with something to change, all of them stand below each other.
 */
export function Steps({ steps, words, submit }: StepsProps) {
  const [current, setCurrent] = useStepOfAddress(steps);
  const { error } = useFormState();
  const list = useRef<HTMLDivElement>(null);
  const isWhole = error !== undefined;
  const isLast = current === steps.length - 1;

  function goTo(index: number): void {
    const step = list.current?.children[current];
    if (index > current && step && !isFilled(step)) return;
    // The focus can only go to what is shown already.
    flushSync(() => setCurrent(index));
    window.location.hash = steps[index]?.id ?? "";
    list.current?.querySelector<HTMLElement>(`#${steps[index]?.id}-title`)?.focus();
  }

  // Enter in a field would send the form, which has more to ask: it goes on to that.
  const goOn = useEffectEvent((event: KeyboardEvent) => {
    const isEnter = event.key === "Enter" && !event.isComposing && event.target instanceof HTMLInputElement;
    if (isWhole || isLast || !(isEnter || isSendKey(event))) return;
    event.preventDefault();
    goTo(current + 1);
  });
  useEffect(() => {
    const form = list.current?.closest("form");
    form?.addEventListener("keydown", goOn);
    return () => form?.removeEventListener("keydown", goOn);
  }, []);

  return (
    <div className="grid gap-8">
      {!isWhole && <Progress steps={steps} current={current} label={words.progress} />}
      <div ref={list} className="grid gap-10">
        {steps.map(({ id, title, content }, index) => (
          <section key={id} aria-labelledby={`${id}-title`} className={`gap-6 ${isWhole || index === current ? "grid" : "hidden noscript:grid"}`}>
            <h2 id={`${id}-title`} tabIndex={-1} className="font-semibold text-2xl outline-none">
              {title}
            </h2>
            {content}
          </section>
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        {!isWhole && current > 0 && <StepButton kind="secondary" text={words.back} onClick={() => goTo(current - 1)} />}
        {!(isWhole || isLast) && <StepButton kind="primary" text={words.next} onClick={() => goTo(current + 1)} />}
        <span className={isWhole || isLast ? "contents" : "hidden noscript:contents"}>{submit}</span>
      </div>
    </div>
  );
}

/** Which step the address names, the first where it names none; and the way to show another before the address follows. */
function useStepOfAddress(steps: Step[]) {
  const [current, setCurrent] = useState(0);

  useEffect(() => {
    const follow = () => {
      const index = steps.findIndex(({ id }) => `#${id}` === window.location.hash);
      setCurrent(Math.max(0, index));
    };
    follow();
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, [steps]);

  return [current, setCurrent] as const;
}

function Progress({ steps, current, label }: { steps: Step[]; current: number; label: string }) {
  return (
    <ol aria-label={label} className="flex flex-wrap gap-x-6 gap-y-2 text-sm noscript:hidden">
      {steps.map(({ id, title }, index) => (
        <li
          key={id}
          aria-current={index === current ? "step" : undefined}
          className="group flex items-center gap-2 text-muted aria-[current]:font-semibold aria-[current]:text-ink"
        >
          <span
            aria-hidden="true"
            className={`inline-flex size-6 items-center justify-center rounded-full border text-xs tabular-nums ${index <= current ? "border-accent bg-accent text-on-accent" : "border-line-strong"}`}
          >
            {index + 1}
          </span>
          {title}
        </li>
      ))}
    </ol>
  );
}

function StepButton({ kind, text, onClick }: { kind: "primary" | "secondary"; text: string; onClick: () => void }) {
  return (
    <button type="button" onClick={onClick} className={`${buttonStyle(kind)} noscript:hidden`}>
      {text}
    </button>
  );
}

/** Whether what a step cannot do without is there; if not, the browser says so at the field. Whether it is right, the server says. */
function isFilled(step: Element): boolean {
  const fields = [...step.querySelectorAll<HTMLInputElement>("input, textarea, select")];
  return fields.find(({ validity }) => validity.valueMissing)?.reportValidity() ?? true;
}
