"use client";

import { type ChangeEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { buttonStyle } from "./button-style.ts";
import { FieldError, FieldLabel, useDescription } from "./field.tsx";

type PictureFieldProps = {
  name: string;
  label: string;
  hint: string;
  maxBytes: number;
  /** What to do about a file that is larger. */
  tooLargeText: string;
  /** On the button, and beside it as long as there is no file. */
  words: { choose: string; none: string };
  /** The picture as it is now, and what there is to say of it. */
  children?: ReactNode;
};

/** A picture from the device. A file that the site would refuse for its size is not even sent; without JavaScript the server says so. */
export function PictureField({ name, label, hint, maxBytes, tooLargeText, words, children }: PictureFieldProps) {
  const [isTooLarge, setTooLarge] = useState(false);
  const [fileName, setFileName] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  // Somebody may have chosen one before the page came alive.
  useEffect(() => setFileName(input.current?.files?.[0]?.name), []);
  const { id, error, describedBy } = useDescription(name, hint, isTooLarge ? tooLargeText : undefined);
  const check = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const isOver = (currentTarget.files?.[0]?.size ?? 0) > maxBytes;
    setTooLarge(isOver);
    if (isOver) currentTarget.value = "";
    setFileName(currentTarget.files?.[0]?.name);
  };
  return (
    <div className="grid gap-1.5">
      <FieldLabel id={id} label={label} hint={hint} />
      {children && <div className="flex items-center gap-4 py-1">{children}</div>}
      <div className="relative flex flex-wrap items-center gap-x-3 gap-y-1">
        <input
          ref={input}
          id={id}
          name={name}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          onChange={check}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          className="peer sr-only noscript:not-sr-only max-w-full rounded-md text-muted text-sm file:me-3 file:min-h-10 file:cursor-pointer file:rounded-md file:border file:border-line-strong/60 file:bg-surface file:px-4 file:font-semibold file:text-ink file:text-sm hover:file:bg-sunken pointer-coarse:file:min-h-11"
        />
        {/* In the page's language, which the browser's own button need not speak. Scripts that are late or fail take nothing from it. */}
        <label
          htmlFor={id}
          className={`${buttonStyle("secondary")} cursor-pointer outline-accent-ink outline-offset-2 peer-focus-visible:outline-2 noscript:hidden`}
        >
          {words.choose}
        </label>
        <span className="min-w-0 wrap-anywhere text-muted text-sm noscript:hidden">{fileName === undefined ? words.none : <bdi>{fileName}</bdi>}</span>
      </div>
      <div aria-live="polite">
        <FieldError id={id} error={error} />
      </div>
    </div>
  );
}
