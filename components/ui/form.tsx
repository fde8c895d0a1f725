"use client";

import { unstable_isUnrecognizedActionError, unstable_rethrow } from "next/navigation";
import {
  createContext,
  type FormEvent,
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  useActionState,
  useContext,
  useEffect,
  useState,
} from "react";
import words from "#messages/unanswered-form.json";
import { ErrorSummary } from "./error-summary.tsx";
import { pageLocale } from "./page-locale.tsx";
import { useInBrowser } from "./use-in-browser.ts";

/** What a form's action answers when it leads nowhere else. */
export type FormState = {
  /** What went wrong, in a sentence. Absent before the first try. */
  error?: string;
  /** The failure's public code, for an action that has more to say about one. */
  code?: string;
  /** What to change, by the field's name. */
  fieldErrors?: Record<string, string>;
  /** What was typed, by the field's name; never a secret. */
  values?: Record<string, string>;
  /** What a field says whose secret was typed well and is not sent back, by its name. Of use where the page was loaded anew, for there the field is empty. */
  again?: Record<string, string>;
  /** Where the way on is, if elsewhere. */
  link?: { href: string; text: string };
};

/** What a form sends to. */
export type FormAction = (state: FormState, form: FormData) => Promise<FormState>;

/** Tells the fields within what the last try brought: `Form` does. */
export const StateOfForm = createContext<FormState>({});

/** What the last try to send the surrounding form brought. */
export function useFormState(): FormState {
  return useContext(StateOfForm);
}

type FormProps = { action: FormAction; children: ReactNode; className?: string };

/** What the document is told when a form was refused. */
export const REFUSED = "refused";

/** A form that works before, without and after JavaScript: what is wrong is said on top and at each field, and nothing typed is lost. */
export function Form({ action, children, className = "grid gap-6" }: FormProps) {
  // Until the page is alive the browser itself sends the form, which takes the action as it came from the server.
  const isAlive = useInBrowser();
  const [tried, send] = useActionState(isAlive ? answered(action) : action, {});
  const [state, noteInput] = useMendedState(tried);
  useEffect(() => {
    if (tried.error) document.dispatchEvent(new Event(REFUSED));
  }, [tried]);
  return (
    <StateOfForm value={state}>
      {/* React empties a form once its action has answered; what was typed stays, passwords too. The server checks, so that everyone reads the same words. */}
      <form
        action={send}
        onInput={noteInput}
        onKeyDown={sendByKeys}
        onReset={(event) => event.preventDefault()}
        data-refused={tried.error && ""}
        className={className}
        noValidate
      >
        <ErrorSummary tried={tried} fieldErrors={state.fieldErrors} />
        {children}
      </form>
    </StateOfForm>
  );
}

/**
 * Does what `action` does; where no answer of it comes, as while the site starts anew, says so in the form instead of taking its page away.
 * @throws what Next has to hear of: ways elsewhere, and an action that the site no longer has, for only a fresh page can mend that
 */
function answered(action: FormAction): FormAction {
  return async (state, form) => {
    try {
      return await action(state, form);
    } catch (error) {
      unstable_rethrow(error);
      if (unstable_isUnrecognizedActionError(error)) throw error;
      // A field that nobody touched follows what it began with, which may be what was typed before the page was alive.
      return { values: state.values, error: words[pageLocale()] };
    }
  };
}

/** What a try brought, but for what it said of fields that were changed since; and what notes that they are. */
export function useMendedState(tried: FormState): [FormState, (event: FormEvent) => void] {
  const [mended, setMended] = useState<{ tried: FormState; names: string[] }>({ tried, names: [] });
  const names = mended.tried === tried ? mended.names : [];

  function noteInput({ target }: FormEvent): void {
    const name = target instanceof Element && target.getAttribute("name");
    if (name && tried.fieldErrors?.[name] && !names.includes(name)) setMended({ tried, names: [...names, name] });
  }

  const isLeft = ([name]: [string, string]) => !names.includes(name);
  const state = names.length === 0 ? tried : { ...tried, fieldErrors: Object.fromEntries(Object.entries(tried.fieldErrors ?? {}).filter(isLeft)) };
  return [state, noteInput];
}

/** Whether somebody in a field pressed ⌘Enter or Ctrl+Enter, which sends its form even where Enter begins a new line. */
export function isSendKey({ key, metaKey, ctrlKey, shiftKey, altKey, isComposing, target }: KeyboardEvent): boolean {
  const isInField = target instanceof HTMLElement && target.matches("input, textarea, select");
  return key === "Enter" && (metaKey || ctrlKey) && !shiftKey && !altKey && !isComposing && isInField;
}

function sendByKeys(event: ReactKeyboardEvent<HTMLFormElement>): void {
  // A form of several steps may have gone on to the next.
  if (event.defaultPrevented || !isSendKey(event.nativeEvent)) return;
  event.preventDefault();
  // The button refuses while the form is under way.
  event.currentTarget.querySelector<HTMLButtonElement>("button[type=submit]")?.click();
}
