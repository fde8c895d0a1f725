"use client";

import { Check } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState, useTransition } from "react";
import { flushSync } from "react-dom";
import { buttonStyle } from "./button-style.ts";
import { ErrorSummary } from "./error-summary.tsx";
import { type FormAction, type FormState, isSendKey, StateOfForm, useFormState, useMendedState } from "./form.tsx";
import { useInBrowser } from "./use-in-browser.ts";

/** A part of a long form. `id` is also its place in the address. */
export type Step = {
  id: string;
  title: string;
  content: ReactNode;
  /** Asked of the step's own answers before the next one is shown: what is wrong with them is said while they are in sight. */
  check?: FormAction;
};

type StepsProps = {
  steps: Step[];
  words: { progress: string; back: string; next: string };
  /** What sends the form: shown with the last step. */
  submit: ReactNode;
  /** Shows what comes of the answers: beside them where there is room, else between them and the way on. */
  preview?: ReactNode;
};

const NOTHING_WRONG: FormState = {};

/**
 * A form's parts one after another; going back and forth in the browser works, too. Once the form has come back with something to
 * change, the part that asks for it is shown. Without JavaScript all of them stand below each other.
 */
export function Steps({ steps, words, submit, preview }: StepsProps) {
  const whole = useFormState();
  const [refused, setRefused] = useState<{ id?: string; state: FormState }>({ state: NOTHING_WRONG });
  const [isChecking, startCheck] = useTransition();
  const list = useRef<HTMLDivElement>(null);
  const [mended, noteInput] = useMendedState(refused.state);
  const [current, setCurrent] = useStepOfAddress(steps, list);
  // Which part is wrong is found out once the page has come alive.
  const isWhole = !useInBrowser() && whole.error !== undefined;
  const isLast = current === steps.length - 1;

  function show(index: number): void {
    // The focus can only go to what is shown already.
    flushSync(() => {
      setRefused({ state: NOTHING_WRONG });
      setCurrent(index);
    });
    window.location.hash = steps[index]?.id ?? "";
    list.current?.querySelector<HTMLElement>(`#${steps[index]?.id}-title`)?.focus();
  }

  function goTo(index: number): void {
    const [step, { id = "", check } = {}] = [list.current?.children[current], steps[current]];
    if (isChecking) return;
    if (index < current || !step || !check) return show(index);
    startCheck(async () => {
      // Nobody is held up by a check that could not be made: all of it is looked at again at the end.
      const { error, fieldErrors }: FormState = await check(NOTHING_WRONG, answersIn(step)).catch(() => NOTHING_WRONG);
      if (error === undefined) show(index);
      else setRefused({ id, state: { error, fieldErrors } });
    });
  }

  const showWrong = useEffectEvent(() => {
    const names = Object.keys(whole.fieldErrors ?? {});
    const isWrong = (_: Step, place: number) => names.some((name) => list.current?.children[place]?.querySelector(`[name="${name}"]`));
    // What is wrong with no field in particular is said where the form was sent.
    if (whole.error !== undefined) window.location.hash = steps.at(steps.findIndex(isWrong))?.id ?? "";
  });
  // Each answer brings what was typed anew; what is mended since changes nothing there.
  useEffect(() => {
    if (whole.values) showWrong();
  }, [whole.values]);

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

  const isRefused = (id: string) => id === refused.id && refused.state.error !== undefined;
  return (
    <div
      className={`grid gap-8 lg:gap-x-12 ${preview ? "md:grid-cols-[minmax(0,1fr)_16rem] md:grid-rows-[auto_1fr_auto] lg:grid-cols-[minmax(0,1fr)_20rem]" : ""}`}
    >
      {!isWhole && <Progress steps={steps} current={current} label={words.progress} />}
      <div ref={list} onInput={noteInput} className="grid gap-10">
        {steps.map(({ id, title, content }, index) => (
          <section key={id} aria-labelledby={`${id}-title`} className={`gap-6 ${isWhole || index === current ? "grid" : "hidden noscript:grid"}`}>
            <h2 id={`${id}-title`} tabIndex={-1} className="font-semibold text-2xl outline-none">
              {title}
            </h2>
            <StateOfForm value={isRefused(id) ? mended : whole}>
              {isRefused(id) && <ErrorSummary tried={refused.state} fieldErrors={mended.fieldErrors} />}
              {content}
            </StateOfForm>
          </section>
        ))}
      </div>
      {preview && <aside className="min-w-0 max-md:max-w-xl md:col-start-2 md:row-span-3 md:row-start-1 md:pt-14">{preview}</aside>}
      <div className="flex flex-wrap items-center gap-3">
        {!isWhole && current > 0 && <StepButton kind="secondary" text={words.back} onClick={() => goTo(current - 1)} />}
        {!(isWhole || isLast) && <StepButton kind="primary" text={words.next} pending={isChecking} onClick={() => goTo(current + 1)} />}
        <span className={isWhole || isLast ? "contents" : "hidden noscript:contents"}>{submit}</span>
      </div>
    </div>
  );
}

/** Which step the address names, by its own id or a field's; the first where it names none; and the way to show another before the address follows. */
function useStepOfAddress(steps: Step[], list: RefObject<HTMLDivElement | null>) {
  const [current, setCurrent] = useState(0);

  useEffect(() => {
    const follow = () => {
      const named = window.location.hash.slice(1);
      const field = named ? document.getElementById(named) : null;
      const index = steps.findIndex(({ id }, place) => id === named || list.current?.children[place]?.contains(field));
      setCurrent(Math.max(0, index));
      return field;
    };
    // A field that was hidden could not take the focus when its link was followed.
    const followToField = () => flushSync(follow)?.focus();
    follow();
    window.addEventListener("hashchange", followToField);
    return () => window.removeEventListener("hashchange", followToField);
  }, [steps, list]);

  return [current, setCurrent] as const;
}

function Progress({ steps, current, label }: { steps: Step[]; current: number; label: string }) {
  return (
    <ol aria-label={label} className="grid grid-flow-col gap-x-2 text-sm sm:flex sm:flex-wrap sm:gap-x-6 sm:gap-y-2 noscript:hidden">
      {steps.map(({ id, title }, index) => (
        <li
          key={id}
          aria-current={index === current ? "step" : undefined}
          className="flex min-w-0 flex-col items-center gap-x-2 gap-y-1 text-center text-muted sm:flex-row aria-[current]:font-semibold aria-[current]:text-ink"
        >
          <span
            aria-hidden="true"
            className={`inline-flex size-6 shrink-0 items-center justify-center rounded-full border text-xs tabular-nums ${stepLook(index - current)}`}
          >
            {index < current ? <Check className="size-3.5" strokeWidth={3} /> : index + 1}
          </span>
          {title}
        </li>
      ))}
    </ol>
  );
}

/** By how many steps it is away: done, at hand, or yet to come. */
function stepLook(distance: number): string {
  if (distance < 0) return "border-accent-ink bg-accent-wash text-accent-ink";
  return distance === 0 ? "border-accent bg-accent text-on-accent" : "border-line-strong";
}

type StepButtonProps = { kind: "primary" | "secondary"; text: string; pending?: boolean; onClick: () => void };

function StepButton({ kind, text, pending = false, onClick }: StepButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      aria-disabled={pending || undefined}
      className={`${buttonStyle(kind)} aria-disabled:cursor-progress aria-disabled:opacity-75 noscript:hidden`}
    >
      {text}
    </button>
  );
}

/** What is typed into a step: nothing of what the others ask. */
function answersIn(step: Element): FormData {
  const answers = new FormData();
  for (const [name, value] of new FormData(step.closest("form") ?? undefined)) if (step.querySelector(`[name="${name}"]`)) answers.append(name, value);
  return answers;
}
