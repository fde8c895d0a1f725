"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { passwordStrength, STRENGTHS, type Strength } from "#lib/password-strength";
import { FieldError, FieldLabel, INPUT, TypeAgain, useDescription } from "./field.tsx";
import { useInBrowser } from "./use-in-browser.ts";

type PasswordFieldProps = {
  name: string;
  label: string;
  hint?: ReactNode;
  /** Which of a person's passwords it is, for their password manager. */
  autoComplete: "current-password" | "new-password";
  /** What the button says that shows what was typed. */
  showText: string;
  /** For a new password: what is said of each strength while it is typed, and the marks of those that are too common. */
  judged?: { texts: Record<Strength, string>; commonMarks: string };
};

/** A password, with a button that shows it to who typed it. Without JavaScript the button could do nothing, so there is none. */
export function PasswordField({ name, label, hint, autoComplete, showText, judged }: PasswordFieldProps) {
  const { id, error, again, describedBy } = useDescription(name, hint);
  const [isShown, setShown] = useState(false);
  const [strength, setStrength] = useState<Strength>();
  const isAlive = useInBrowser();
  return (
    <div className="grid gap-1.5">
      <FieldLabel id={id} label={label} hint={hint} />
      <div className="relative">
        <input
          id={id}
          name={name}
          type={isShown ? "text" : "password"}
          autoComplete={autoComplete}
          onInput={judged && ((event) => setStrength(event.currentTarget.value ? passwordStrength(event.currentTarget.value, judged.commonMarks) : undefined))}
          required
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          className={`${INPUT} rounded-md pe-12 ${error ? "border-danger-ink" : "border-line-strong"}`}
        />
        {isAlive && <ShowButton isShown={isShown} text={showText} onClick={() => setShown(!isShown)} />}
      </div>
      <FieldError id={id} error={error} />
      <TypeAgain id={id} again={again} />
      {judged && <StrengthMeter strength={strength} texts={judged.texts} isSpare={Boolean(error || again)} />}
    </div>
  );
}

const FILLS: Record<Strength, string> = { short: "bg-danger-ink", weak: "bg-danger-ink", fair: "bg-warning-ink", strong: "bg-success-ink" };
/** How many bars are filled: what may be refused has no more than what will be. */
const FILLED: Record<Strength, number> = { short: 1, weak: 1, fair: 3, strong: 4 };

type StrengthMeterProps = { strength?: Strength; texts: Record<Strength, string>; isSpare: boolean };

/** A word on what is typed so far, with bars for who would rather look. Its place is always there, so that nothing below it moves; `isSpare`: something else has it. */
function StrengthMeter({ strength, texts, isSpare }: StrengthMeterProps) {
  return (
    <div className={`flex items-center gap-x-2 pt-0.5 sm:gap-x-3 ${isSpare ? "" : "-mb-2 min-h-6"}`}>
      {strength && (
        <span aria-hidden="true" className="flex gap-1">
          {STRENGTHS.map((each, index) => (
            <span
              key={each}
              className={`h-1 w-4 rounded-full sm:w-7 ${index < FILLED[strength] ? `${FILLS[strength]} forced-colors:bg-[CanvasText]` : "bg-line forced-colors:border"}`}
            />
          ))}
        </span>
      )}
      {/* No status: it says how far the typing is, not what came of the form. */}
      <p aria-live="polite" className="text-muted text-sm">
        {strength && texts[strength]}
      </p>
    </div>
  );
}

/** A switch: its name stays, and whether it is pressed says the rest. */
function ShowButton({ isShown, text, onClick }: { isShown: boolean; text: string; onClick: () => void }) {
  const Icon = isShown ? EyeOff : Eye;
  return (
    <button
      type="button"
      aria-pressed={isShown}
      title={text}
      onClick={onClick}
      className="absolute inset-y-0 end-0 inline-flex w-11 items-center justify-center rounded-md text-muted hover:text-ink"
    >
      <Icon aria-hidden="true" className="size-4.5" />
      <span className="sr-only">{text}</span>
    </button>
  );
}
