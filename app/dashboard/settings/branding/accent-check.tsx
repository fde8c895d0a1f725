"use client";

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Badge } from "#components/ui/badge";
import { useFormState } from "#components/ui/form";
import { accentTones, contrastRatio, DARK_PAPER, LIGHT_PAPER, READABLE_RATIO, WHITE } from "#lib/accent";

type AccentCheckProps = {
  /** Six hex digits. */
  stored: string;
  locale: string;
  words: Record<"title" | "text" | "given" | "button" | "lightInk" | "darkInk" | "readable" | "faint", string>;
  /** Shows the color in use. */
  preview: ReactNode;
  /** The field, called `accentColor`. */
  children: ReactNode;
};

/** How well the chosen color can be read, reckoned by the server for the stored one, and anew with every choice. */
export function AccentCheck({ stored, locale, words, preview, children }: AccentCheckProps) {
  const typed = useFormState().values?.accentColor;
  const [color, setColor] = useState(typed?.replace("#", "") ?? stored);
  const place = useRef<HTMLDivElement>(null);

  // The security policy allows no style attribute in the page, and what a script sets later.
  useEffect(() => place.current?.style.setProperty("--site-accent", `#${color}`), [color]);

  const onInput = ({ target }: FormEvent) => {
    if (target instanceof HTMLInputElement && /^#[0-9a-f]{6}$/i.test(target.value)) setColor(target.value.slice(1).toLowerCase());
  };
  const { darkButton, lightInk, darkInk } = accentTones(color);
  const ratio = (one: string, other: string) => ({ ink: one, paper: other, ratio: contrastRatio(one, other) });
  const rows = [
    { name: words.given, ...ratio(color, WHITE) },
    // Of the two themes the one where white is fainter, if there is a difference.
    { name: words.button, ...ratio(WHITE, darkButton) },
    { name: words.lightInk, ...ratio(lightInk, LIGHT_PAPER) },
    { name: words.darkInk, ...ratio(darkInk, DARK_PAPER) },
  ];
  return (
    <div onInput={onInput} className="grid gap-6">
      {children}
      <div ref={place} className="grid gap-6">
        {preview}
        <section className="grid gap-3">
          <div className="grid max-w-2xl gap-1">
            <h3 className="font-medium">{words.title}</h3>
            <p className="text-muted text-sm">{words.text}</p>
          </div>
          <ul className="divide-y divide-line rounded-lg border border-line">
            {rows.map((row) => (
              <ContrastRow key={row.name} {...row} locale={locale} readable={words.readable} faint={words.faint} />
            ))}
          </ul>
        </section>
      </div>
    </div>
  );
}

type ContrastRowProps = { name: string; ink: string; paper: string; ratio: number; locale: string; readable: string; faint: string };

function ContrastRow({ name, ink, paper, ratio, locale, readable, faint }: ContrastRowProps) {
  const isReadable = ratio >= READABLE_RATIO;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[auto_minmax(0,1fr)_auto]">
      <Sample ink={ink} paper={paper} />
      <span className="text-sm">{name}</span>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm tabular-nums max-sm:col-span-full">
        <bdi className="whitespace-nowrap">{inWords(ratio, locale)}</bdi>
        <span aria-live="polite">
          <Badge tone={isReadable ? "success" : "warning"}>{isReadable ? readable : faint}</Badge>
        </span>
      </span>
    </li>
  );
}

/** Two letters, drawn as paths: their colors are attributes, as the security policy wants. */
function Sample({ ink, paper }: { ink: string; paper: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 40 28" className="h-7 w-10 shrink-0 rounded-sm border border-line">
      <rect width="40" height="28" fill={`#${paper}`} />
      <path d="M8 20l5-12 5 12M9.7 16h6.6M31 13v7m0-3.5a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0z" fill="none" stroke={`#${ink}`} strokeWidth="1.8" />
    </svg>
  );
}

/** Cut off, not rounded: 4.49 must not look like enough. */
function inWords(ratio: number, locale: string): string {
  const number = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(Math.floor(ratio * 10) / 10);
  return `${number}:1`;
}
