"use client";

import { ChevronDown, SmilePlus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useFormState } from "#components/ui/form";
import { leadingEmoji, withEmoji } from "#lib/emoji";
import { EMOJI_BEFORE_FIELD, EMOJI_FIELD } from "./emoji.ts";

type EmojiFieldProps = {
  /** The emoji on offer. */
  emoji: readonly string[];
  /** The one that the name begins with; empty: none. */
  defaultValue: string;
  words: { label: string; none: string };
};

const CHOICE =
  "absolute inset-0 size-full cursor-pointer appearance-none rounded-md border border-transparent hover:bg-sunken checked:border-accent checked:bg-accent-wash forced-colors:not-checked:border-0 forced-colors:checked:border-2";

/** An emoji for the beginning of the name beside it. What the name says counts: with JavaScript each follows the other at once. */
export function EmojiField({ emoji, defaultValue, words }: EmojiFieldProps) {
  const { values } = useFormState();
  const [chosen, setChosen] = useState(values?.[EMOJI_FIELD] ?? defaultValue);
  // Without JavaScript the name does not follow, and the server has to tell what was chosen from what was there.
  const [before, setBefore] = useState(values?.[EMOJI_BEFORE_FIELD] ?? defaultValue);
  const place = useRef<HTMLDetailsElement>(null);
  const offered = chosen && !emoji.includes(chosen) ? [chosen, ...emoji] : emoji;

  useEffect(() => {
    const name = nameFieldOf(place.current);
    if (!name) return;
    const follow = () => {
      setChosen(leadingEmoji(name.value));
      setBefore(leadingEmoji(name.value));
    };
    follow();
    name.addEventListener("input", follow);
    return () => name.removeEventListener("input", follow);
  }, []);

  const choose = (next: string) => {
    const name = nameFieldOf(place.current);
    if (!name) return;
    name.value = withEmoji(name.value, next);
    // Whoever follows the name hears of it, this field too.
    name.dispatchEvent(new Event("input", { bubbles: true }));
  };

  return (
    <details ref={place} className="group">
      <summary className="inline-flex min-h-10 items-center gap-2 rounded-md border border-line-strong/60 bg-surface px-3 font-medium text-sm shadow-low hover:bg-sunken pointer-coarse:min-h-11">
        {chosen ? <span aria-hidden="true">{chosen}</span> : <SmilePlus aria-hidden="true" className="size-4 text-muted" />}
        {words.label}
        <ChevronDown aria-hidden="true" className="size-4 text-muted group-open:rotate-180" />
      </summary>
      <input type="hidden" name={EMOJI_BEFORE_FIELD} value={before} />
      <fieldset
        aria-label={words.label}
        className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(2.75rem,1fr))] gap-1 rounded-lg border border-line bg-raised p-2 shadow-low"
      >
        {["", ...offered].map((value) => (
          <EmojiChoice key={value} value={value} text={value || words.none} isChosen={chosen === value} onChoose={choose} />
        ))}
      </fieldset>
    </details>
  );
}

type EmojiChoiceProps = { value: string; text: string; isChosen: boolean; onChoose: (value: string) => void };

function EmojiChoice({ value, text, isChosen, onChoose }: EmojiChoiceProps) {
  return (
    <span className="relative inline-flex h-11 items-center justify-center text-xl">
      <input type="radio" name={EMOJI_FIELD} value={value} checked={isChosen} onChange={() => onChoose(value)} aria-label={text} className={CHOICE} />
      <span aria-hidden="true" className={`pointer-events-none relative ${value ? "" : "text-muted text-sm"}`}>
        {text}
      </span>
    </span>
  );
}

/** The name in the form around `place`. */
function nameFieldOf(place: Element | null): HTMLInputElement | null {
  const name = place?.closest("form")?.elements.namedItem("name");
  return name instanceof HTMLInputElement ? name : null;
}
