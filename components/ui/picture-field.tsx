"use client";

import { type ChangeEvent, type ReactNode, useState } from "react";
import { FieldError, FieldLabel, useDescription } from "./field.tsx";

type PictureFieldProps = {
  name: string;
  label: string;
  hint: string;
  maxBytes: number;
  /** What to do about a file that is larger. */
  tooLargeText: string;
  /** The picture as it is now, and what there is to say of it. */
  children?: ReactNode;
};

/** A picture from the device. A file that the site would refuse for its size is not even sent; without JavaScript the server says so. */
export function PictureField({ name, label, hint, maxBytes, tooLargeText, children }: PictureFieldProps) {
  const [isTooLarge, setTooLarge] = useState(false);
  const { id, error, describedBy } = useDescription(name, hint, isTooLarge ? tooLargeText : undefined);
  const check = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const isOver = (currentTarget.files?.[0]?.size ?? 0) > maxBytes;
    setTooLarge(isOver);
    if (isOver) currentTarget.value = "";
  };
  return (
    <div className="grid gap-1.5">
      <FieldLabel id={id} label={label} hint={hint} />
      {children && <div className="flex items-center gap-4 py-1">{children}</div>}
      <input
        id={id}
        name={name}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        onChange={check}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy}
        className="w-full min-w-0 rounded-md text-muted text-sm file:me-3 file:min-h-10 file:cursor-pointer file:rounded-md file:border file:border-line-strong/60 file:bg-surface file:px-4 file:font-semibold file:text-ink file:text-sm hover:file:bg-sunken pointer-coarse:file:min-h-11"
      />
      <div aria-live="polite">
        <FieldError id={id} error={error} />
      </div>
    </div>
  );
}
