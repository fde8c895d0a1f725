"use client";

import { useRouter } from "next/navigation";
import {
  createContext,
  type FormEvent,
  type ReactNode,
  startTransition,
  type TransitionStartFunction,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useTransition,
} from "react";
import { SearchBox, type SearchWords } from "./search-box.tsx";

type LiveSearchProps = {
  /** The page that shows what is found: this one. */
  action: string;
  /** The page that finds without JavaScript, if another one. */
  formAction?: string;
  q: string;
  words: SearchWords;
  /** Whether searching is what the page is for: then the field is where one begins. */
  isMain?: boolean;
};

const TYPING_PAUSE_MS = 150;

const Asking = createContext<[boolean, TransitionStartFunction]>([false, startTransition]);

/** Holds a `LiveSearch` and, as `LiveResults`, what it finds. */
export function LiveSearchArea({ children }: { children: ReactNode }) {
  return <Asking value={useTransition()}>{children}</Asking>;
}

/** What was found: said to be old, and faded after a moment, while something else is looked for. */
export function LiveResults({ children, className }: { children: ReactNode; className: string }) {
  const [isAsking] = useContext(Asking);
  return (
    <div aria-busy={isAsking} className={`fades-when-busy ${className}`}>
      {children}
    </div>
  );
}

/** A search field on the page that shows what is found: with JavaScript that follows the typing, and so does the address. */
export function LiveSearch({ action, formAction = action, q, words, isMain = false }: LiveSearchProps) {
  const router = useRouter();
  const [, start] = useContext(Asking);
  const field = useRef<HTMLInputElement>(null);
  const asked = useRef(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const ask = useCallback(() => {
    clearTimeout(timer.current);
    const typed = field.current?.value.trim() ?? "";
    if (typed === asked.current) return;
    asked.current = typed;
    start(() => router.replace(typed ? `${action}?${new URLSearchParams({ q: typed })}` : action, { scroll: false }));
  }, [router, start, action]);

  useEffect(() => {
    // Something may have been typed before this page came alive.
    ask();
    return () => clearTimeout(timer.current);
  }, [ask]);

  useEffect(() => {
    // On a phone the keyboard would cover the page.
    if (isMain && !field.current?.value && matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, [isMain]);

  // Another search was followed, as by a link: the field shows it unless somebody is typing.
  useEffect(() => {
    if (asked.current === q || document.activeElement === field.current || !field.current) return;
    field.current.value = q;
    asked.current = q;
  }, [q]);

  useEffect(() => {
    // Who follows a link right after typing is not brought back by what was typed.
    const leave = ({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) => {
      const staysHere = ctrlKey || metaKey || shiftKey;
      if (!staysHere && target instanceof Element && target.closest("a")) clearTimeout(timer.current);
    };
    document.addEventListener("click", leave);
    return () => document.removeEventListener("click", leave);
  }, []);

  const askSoon = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(ask, TYPING_PAUSE_MS);
  };
  const askNow = (event: FormEvent) => {
    event.preventDefault();
    ask();
  };
  return <SearchBox action={formAction} q={q} words={words} field={field} onInput={askSoon} onSubmit={askNow} />;
}
