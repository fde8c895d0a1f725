"use client";

import { CircleCheck, CircleX } from "lucide-react";
import { useEffect, useRef, useState } from "react";

type Answer = { normalized: string; free: boolean };

type AddressCheckProps = { words: { free: string; taken: string } };

const TYPING_PAUSE_MS = 250;
/** The fields that an address is made from. */
const ASKED_FOR = ["name", "url"];

/** What the address in the surrounding form becomes, and whether the board can have it, while it is typed. Nothing without JavaScript: then sending tells. */
export function AddressCheck({ words }: AddressCheckProps) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const place = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    const form = place.current?.closest("form");
    if (!form) return;
    let timer: ReturnType<typeof setTimeout>;
    let asking = new AbortController();
    const ask = async () => {
      const url = queryOf(new FormData(form));
      asking.abort();
      asking = new AbortController();
      // Who cannot be told now is told when the form is sent.
      setAnswer(await answerTo(url, asking.signal).catch(() => null));
    };
    const askSoon = ({ target }: Event) => {
      if (!(target instanceof HTMLInputElement) || !ASKED_FOR.includes(target.name)) return;
      clearTimeout(timer);
      timer = setTimeout(ask, TYPING_PAUSE_MS);
    };
    // What sending it brings says more, also than an answer still to come.
    const clear = () => {
      clearTimeout(timer);
      asking.abort();
      setAnswer(null);
    };
    // Something may have been typed before this page came alive.
    if (ASKED_FOR.some((name) => wasTyped(form, name))) timer = setTimeout(ask, 0);
    form.addEventListener("input", askSoon);
    form.addEventListener("submit", clear);
    return () => {
      form.removeEventListener("input", askSoon);
      form.removeEventListener("submit", clear);
      clearTimeout(timer);
      asking.abort();
    };
  }, []);

  const Icon = answer?.free ? CircleCheck : CircleX;
  // Its one line is kept free: what comes while somebody reaches for the button must not move it away. And a long address, which is cut there, makes no form wider.
  return (
    <p ref={place} role="status" className={`-mb-3 min-h-[1lh] text-sm noscript:hidden ${answer?.free ? "text-success-ink" : "text-danger-ink"}`}>
      {answer?.normalized && (
        <span className="flex items-center gap-x-1 [contain:inline-size]">
          <Icon aria-hidden="true" className="me-0.5 size-4 shrink-0" />
          <bdi className="truncate font-medium">/boards/{answer.normalized}</bdi> <span className="shrink-0">{answer.free ? words.free : words.taken}</span>
        </span>
      )}
    </p>
  );
}

function wasTyped(form: HTMLFormElement, name: string): boolean {
  const field = form.elements.namedItem(name);
  return field instanceof HTMLInputElement && field.value !== field.defaultValue;
}

function queryOf(form: FormData): string {
  const parts = ["url", "name", "boardId"].map((name) => [name, String(form.get(name) ?? "")]);
  return `/dashboard/boards/address?${new URLSearchParams(parts.filter(([, value]) => value))}`;
}

async function answerTo(url: string, signal: AbortSignal): Promise<Answer | null> {
  const response = await fetch(url, { signal });
  return response.ok ? response.json() : null;
}
