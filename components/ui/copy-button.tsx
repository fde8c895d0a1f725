"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useInBrowser } from "./use-in-browser.ts";

type CopyButtonProps = { text: string; label: string; done: string };

const SHOWN_MS = 2_000;

/** Copies `text`. Shown only where scripts run and the browser lets them: without, as where it refuses, the text can be selected as ever. */
export function CopyButton({ text, label, done }: CopyButtonProps) {
  const canCopy = useInBrowser(hasClipboard);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  if (!canCopy) return null;
  const Icon = isCopied ? Check : Copy;
  return (
    <>
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={() =>
          navigator.clipboard.writeText(text).then(
            () => setCopied(true),
            () => {},
          )
        }
        className="inline-flex size-9 shrink-0 items-center justify-center rounded-md text-muted hover:bg-line hover:text-ink pointer-coarse:size-11"
      >
        <Icon aria-hidden="true" className="size-4" />
      </button>
      {/* Always there, so that what comes into it is read out. */}
      <span aria-live="polite" className="sr-only">
        {isCopied && done}
      </span>
    </>
  );
}

function hasClipboard(): boolean {
  return navigator.clipboard !== undefined;
}
