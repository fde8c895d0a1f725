"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import {
  CircleUser,
  House,
  LayoutDashboard,
  Link2,
  LogOut,
  type LucideIcon,
  Mail,
  Monitor,
  Moon,
  Plus,
  Settings,
  SquareKanban,
  Sun,
  User,
  Users,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { CLOSENESS, closenessOf } from "#lib/closeness";
import { wordsOf, wordsOfTyped } from "#lib/search";
import type { Command, Deed, PaletteWords } from "./keyboard.tsx";
import { keepInTab, readTab } from "./tab-storage.ts";
import { Dialog } from "./ui/dialog.tsx";
import { Key } from "./ui/key.tsx";

type Entry = { title: string; group: "recent" | "pages" | "actions" | "boards" | "people"; href?: string; does?: Deed; keys?: string };
type Group = { group: Entry["group"]; items: Entry[] };
type CommandPaletteProps = {
  userId: string;
  commands: Command[];
  words: PaletteWords;
  close: string;
  onClose: () => void;
  onDeed: (deed: Deed) => void;
};

const SIGNS: Record<string, LucideIcon> = {
  "/": House,
  "/me": CircleUser,
  "/dashboard": LayoutDashboard,
  "/dashboard/boards": SquareKanban,
  "/dashboard/boards/new": Plus,
  "/dashboard/users": Users,
  "/dashboard/outbox": Mail,
  copyLink: Link2,
  light: Sun,
  dark: Moon,
  system: Monitor,
  signOut: LogOut,
};
const RECENT_COUNT = 5;
const DEBOUNCE_MS = 120;

/** Where to go and what to do, by typing a few letters of it. What was chosen lately comes first. */
export function CommandPalette({ userId, commands, words, close, onClose, onDeed }: CommandPaletteProps) {
  const [query, setQuery] = useState("");
  const { found, hasFailed } = useFound(query);
  const router = useRouter();
  const possible = commands.filter(({ does }) => does !== "copyLink" || navigator.clipboard !== undefined);
  const groups = grouped(query ? matching(possible, query, found) : [...recent(userId), ...possible]);

  function choose(entry: Entry): void {
    if (entry.href === undefined) return void (entry.does && onDeed(entry.does));
    remember(userId, entry);
    router.push(entry.href);
  }

  return (
    <Dialog title={words.title} close={close} onClose={onClose} isHeldAtTop>
      <Autocomplete.Root
        items={groups}
        open
        inline
        mode="none"
        autoHighlight="always"
        keepHighlight
        value={query}
        onValueChange={setQuery}
        itemToStringValue={(entry: Entry) => entry.title}
      >
        <Autocomplete.Input
          data-begin
          aria-label={words.placeholder}
          placeholder={words.placeholder}
          className="min-h-11 w-full rounded-md border border-line-strong bg-surface px-3 text-base placeholder:text-muted"
        />
        <Autocomplete.Empty className="text-muted text-sm empty:absolute">{hasFailed ? words.failed : words.nothing}</Autocomplete.Empty>
        <Autocomplete.List className="max-h-80 overflow-y-auto">
          {({ group, items }: Group) => <EntryGroup key={group} label={words[group]} entries={items} onChoose={choose} />}
        </Autocomplete.List>
      </Autocomplete.Root>
    </Dialog>
  );
}

function EntryGroup({ label, entries, onChoose }: { label: string; entries: Entry[]; onChoose: (entry: Entry) => void }) {
  return (
    <Autocomplete.Group items={entries} className="pb-2">
      <Autocomplete.GroupLabel className="px-3 py-1.5 font-medium text-muted text-xs">{label}</Autocomplete.GroupLabel>
      <Autocomplete.Collection>
        {(entry: Entry) => (
          <Autocomplete.Item
            key={`${entry.group} ${entry.href ?? entry.does}`}
            value={entry}
            onClick={(event) => {
              // Closed so, the window gives the focus back to where it was.
              event.currentTarget.closest("dialog")?.close();
              onChoose(entry);
            }}
            className="flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3 py-1 outline-none forced-colors:data-highlighted:-outline-offset-2 forced-colors:data-highlighted:[outline:2px_solid_Highlight] data-highlighted:bg-accent-wash data-highlighted:text-accent-ink pointer-coarse:min-h-11"
          >
            <Sign {...entry} />
            <bdi className="min-w-0 grow wrap-anywhere">{entry.title}</bdi>
            {entry.keys && <Keys keys={entry.keys} />}
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  );
}

/** What leads there is marked as in the navigation. */
function Sign({ href, does }: Entry) {
  const byPlace = href?.startsWith("/dashboard/settings") ? Settings : href?.startsWith("/dashboard/users/") ? User : SquareKanban;
  const Icon = SIGNS[href ?? does ?? ""] ?? byPlace;
  return <Icon aria-hidden="true" className={`${does === "signOut" ? "mirrored " : ""}size-4 shrink-0 text-muted`} />;
}

/** The keys that do the same without this window. */
function Keys({ keys }: { keys: string }) {
  return (
    <span aria-hidden="true" dir="ltr" className="flex shrink-0 gap-1 text-muted pointer-coarse:hidden">
      {keys.split(" ").map((key) => (
        <Key key={key}>{key}</Key>
      ))}
    </span>
  );
}

/** What the server finds for `query`, once nothing has been typed for a moment. */
function useFound(query: string): { found: Entry[]; hasFailed: boolean } {
  const [answer, setAnswer] = useState<{ found: Entry[]; hasFailed: boolean }>({ found: [], hasFailed: false });

  useEffect(() => {
    const wish = new AbortController();
    const timer = setTimeout(async () => {
      if (!query.trim()) return setAnswer({ found: [], hasFailed: false });
      try {
        const response = await fetch(`/find?${new URLSearchParams({ q: query })}`, { signal: wish.signal });
        setAnswer({ found: response.ok ? (await response.json()).results : [], hasFailed: !response.ok });
      } catch {
        if (!wish.signal.aborted) setAnswer({ found: [], hasFailed: true });
      }
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      wish.abort();
    };
  }, [query]);

  return answer;
}

/** The groups, in the order in which the first of each comes. */
function grouped(entries: Entry[]): Group[] {
  const groups = [...new Set(entries.map(({ group }) => group))];
  return groups.map((group) => ({ group, items: entries.filter((entry) => entry.group === group) }));
}

/** The commands that hold what was typed, the nearest first, and what the server found. Where none holds it, a typing mistake is forgiven, as in the server's search; what that meets comes last. */
function matching(commands: Command[], query: string, found: Entry[]): Entry[] {
  const typed = wordsOfTyped(query);
  const near = CLOSENESS.map((closeness) => commands.filter(({ title }) => closenessOf(typed, wordsOf(title)) === closeness));
  const forgiven = near.pop() ?? [];
  const holding = near.flat();
  return holding.length > 0 ? [...holding, ...found] : [...found, ...forgiven];
}

/** What this person chose lately in this tab, in which somebody else may have been signed in before. */
function recent(userId: string): Entry[] {
  try {
    return JSON.parse(readTab(recentKey(userId)) ?? "[]");
  } catch {
    return [];
  }
}

function remember(userId: string, entry: Entry): void {
  const others = recent(userId).filter(({ href }) => href !== entry.href);
  keepInTab(recentKey(userId), JSON.stringify([{ title: entry.title, href: entry.href, group: "recent" }, ...others].slice(0, RECENT_COUNT)));
}

function recentKey(userId: string): string {
  return `heard-recent-${userId}`;
}
