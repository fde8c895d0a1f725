"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense, startTransition, useEffect, useRef, useState } from "react";
import { Dialog } from "./ui/dialog.tsx";
import { Key } from "./ui/key.tsx";
import { SubmitButton } from "./ui/submit-button.tsx";
import { Toast } from "./ui/toast.tsx";

/** Something that keys do: one key, or two after one another. What leads nowhere is done by the page itself. */
export type Shortcut = { keys: string; text: string; group: "actions" | "pages"; href?: string };

export type KeyboardWords = {
  title: string;
  close: string;
  palette: string;
  groups: Record<Shortcut["group"], string>;
  turnOff: string;
  turnOn: string;
  off: string;
  /** What a Mac's keyboard says, and what others do. */
  onlyKeys: { mac: string; other: string };
  ctrl: { mac: string; other: string };
};

export type PaletteWords = {
  title: string;
  placeholder: string;
  pages: string;
  actions: string;
  boards: string;
  people: string;
  recent: string;
  nothing: string;
  failed: string;
  copied: string;
  notCopied: string;
};

/** What the palette does itself, on the page that is shown. */
export type Deed = "copyLink" | "system" | "light" | "dark" | "signOut";

/** A page or an action that the palette offers: it leads to `href`, or does something here. */
export type Command = { title: string; group: "pages" | "actions"; href?: string; does?: Deed; keys?: string };

type KeyboardProps = {
  shortcuts: Shortcut[];
  /** Whether single keys do something: WCAG 2.2, 2.1.4 wants a switch for that. */
  isOn: boolean;
  words: KeyboardWords;
  /** The command palette, for who is signed in. */
  palette: { userId: string; commands: Command[]; words: PaletteWords } | null;
  /** Keeps whether single keys are shortcuts. */
  chooseShortcuts: (form: FormData) => Promise<void>;
  /** Keeps how the site looks in this browser. */
  chooseTheme: (form: FormData) => Promise<void>;
  /** Ends the session of who is signed in. */
  signOut: () => Promise<void>;
};

/** A window that a key opened, and when. */
type Opened = { window: "help" | "palette"; at: number };

const CommandPalette = lazy(async () => ({ default: (await import("./command-palette.tsx")).CommandPalette }));
const SEQUENCE_MS = 1200;
const SAID_MS = 5000;

/** What the keyboard does on every page, and the windows that it opens. */
export function Keyboard({ shortcuts, isOn, words, palette, chooseShortcuts, chooseTheme, signOut }: KeyboardProps) {
  const [open, setOpen] = useState<Opened | null>(null);
  const [said, say] = useSaid();
  const router = useRouter();
  // Not of the effect, which may begin anew between two keys.
  const sequence = useRef({ first: "", at: 0 });

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (palette && isPaletteKey(event)) {
        event.preventDefault();
        if (open?.window !== "palette" || !isWindowOpen()) setOpen({ window: "palette", at: event.timeStamp });
      }
      if (isForSomethingElse(event)) return;
      const keys = keysWith(event.key, sequence.current, shortcuts);
      // Help opens even where the others are off: it holds the switch.
      if (event.key === "?") setOpen({ window: "help", at: event.timeStamp });
      else if (isOn) act(keys, shortcuts, (href) => router.push(href), event);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [isOn, open, palette, router, shortcuts]);

  // The browser says that a window was closed a little after: another may be open then.
  const close = () => setOpen((now) => (now === open ? null : now));
  async function doHere(deed: Deed): Promise<void> {
    if (!palette) return;
    if (deed === "signOut") return startTransition(signOut);
    if (deed !== "copyLink") return startTransition(() => chooseTheme(themeForm(deed)));
    const { copied, notCopied } = palette.words;
    say(
      await navigator.clipboard.writeText(window.location.href).then(
        () => copied,
        () => notCopied,
      ),
    );
  }
  return (
    <>
      {open?.window === "help" && (
        <Dialog key={open.at} title={words.title} close={words.close} onClose={close}>
          {isOn ? <ShortcutList shortcuts={shortcuts} words={words} hasPalette={palette !== null} /> : <p className="text-muted">{words.off}</p>}
          <form action={chooseShortcuts} className="grid gap-2">
            <input type="hidden" name="shortcuts" value={isOn ? "off" : "on"} />
            <div>
              <SubmitButton kind="secondary">{isOn ? words.turnOff : words.turnOn}</SubmitButton>
            </div>
            <p className="text-muted text-sm">{words.onlyKeys[keyboardKind()]}</p>
          </form>
        </Dialog>
      )}
      {open?.window === "palette" && palette && (
        <Suspense>
          <CommandPalette key={open.at} {...palette} close={words.close} onClose={close} onDeed={doHere} />
        </Suspense>
      )}
      {said && <Toast>{said}</Toast>}
    </>
  );
}

/** What was just said, for a moment. */
function useSaid() {
  const [said, say] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => say(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return [said, say] as const;
}

function themeForm(theme: Exclude<Deed, "copyLink" | "signOut">): FormData {
  const form = new FormData();
  form.set("theme", theme);
  return form;
}

/** Which keys there are before whoever looks. */
function keyboardKind(): "mac" | "other" {
  return /Mac|iPhone|iPad/.test(navigator.platform) ? "mac" : "other";
}

type ShortcutListProps = { shortcuts: Shortcut[]; words: KeyboardWords; hasPalette: boolean };

function ShortcutList({ shortcuts, words, hasPalette }: ShortcutListProps) {
  const all: Shortcut[] = hasPalette ? [...shortcuts, { keys: "Ctrl+K", text: words.palette, group: "actions" }] : shortcuts;
  return (["actions", "pages"] as const).map((group) => (
    <section key={group}>
      <h3 className="font-medium text-muted text-xs">{words.groups[group]}</h3>
      <dl>
        {all
          .filter((shortcut) => shortcut.group === group)
          .map(({ keys, text }) => (
            <div key={keys} className="flex items-center justify-between gap-4 border-line border-b py-1.5 last:border-0">
              <dt>{text}</dt>
              <dd dir="ltr" className="flex shrink-0 gap-1">
                {keys.split(" ").map((key) => (
                  <Key key={key}>{key.replace("Ctrl+", words.ctrl[keyboardKind()])}</Key>
                ))}
              </dd>
            </div>
          ))}
      </dl>
    </section>
  ));
}

function isPaletteKey({ metaKey, ctrlKey, shiftKey, altKey, key }: KeyboardEvent): boolean {
  return (metaKey || ctrlKey) && !shiftKey && !altKey && key.toLowerCase() === "k";
}

function isForSomethingElse({ metaKey, ctrlKey, altKey, isComposing, target }: KeyboardEvent): boolean {
  return metaKey || ctrlKey || altKey || isComposing || isTyping(target) || isWindowOpen();
}

function isWindowOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

/** The key, behind the one pressed just before where a shortcut is made of the two. */
function keysWith(key: string, sequence: { first: string; at: number }, shortcuts: Shortcut[]): string {
  const both = `${sequence.first} ${key}`;
  const isSecond = Date.now() - sequence.at < SEQUENCE_MS && shortcuts.some(({ keys }) => keys === both);
  sequence.first = isSecond ? "" : key;
  sequence.at = Date.now();
  return isSecond ? both : key;
}

function act(keys: string, shortcuts: Shortcut[], go: (href: string) => void, event: KeyboardEvent): void {
  const shortcut = shortcuts.find((known) => known.keys === keys);
  if (!shortcut) return;
  event.preventDefault();
  const field = document.querySelector<HTMLInputElement>("main [name=q]");
  if (keys === "/" && field) field.select();
  else if (keys === "j" || keys === "k") step(keys === "j" ? 1 : -1);
  else if (keys === "o")
    listed()
      .find((link) => link === document.activeElement)
      ?.click();
  else if (shortcut.href) go(shortcut.href);
}

/** The links of the things in the page's list. */
function listed(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("main li h2 a, main li h3 a, main tbody th a")];
}

/** Moves the focus to the next or the previous thing of the page's list; from elsewhere to its first or its last. */
function step(by: 1 | -1): void {
  const links = listed();
  const current = links.indexOf(document.activeElement as HTMLElement);
  links[current < 0 && by < 0 ? links.length - 1 : current + by]?.focus();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"));
}
