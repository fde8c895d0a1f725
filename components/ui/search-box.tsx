import { Search } from "lucide-react";
import type { FormEventHandler, RefObject } from "react";
import { MAX_QUERY_LENGTH } from "#lib/search";

/** What a search field says. */
export type SearchWords = { label: string; placeholder: string; submit: string };

type SearchBoxProps = {
  /** The page that shows what is found; it reads `q`. */
  action: string;
  q?: string;
  /** What else the page is asked for, and goes on being asked for. */
  keep?: Record<string, string>;
  words: SearchWords;
  /** How much can be looked for, in characters. */
  maxLength?: number;
  field?: RefObject<HTMLInputElement | null>;
  onInput?: FormEventHandler;
  onSubmit?: FormEventHandler;
};

/** A field to search with: sends its words to a page that finds. */
export function SearchBox({ action, q = "", keep = {}, words, maxLength = MAX_QUERY_LENGTH, field, onInput, onSubmit }: SearchBoxProps) {
  return (
    <search className="min-w-0 grow">
      <form
        action={action}
        onSubmit={onSubmit}
        className="flex min-h-11 pointer-coarse:min-h-12 items-center gap-2 rounded-lg border border-line-strong bg-surface ps-3 pe-1 shadow-low has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent-ink has-[input:focus-visible]:outline-offset-2"
      >
        <Search aria-hidden="true" className="size-4.5 shrink-0 text-muted" />
        {/* Its outline is the form's; its own shows where colors are forced. What is typed may run against the page's direction: it keeps its sides. */}
        <input
          ref={field}
          type="search"
          name="q"
          dir="auto"
          defaultValue={q}
          aria-label={words.label}
          placeholder={words.placeholder}
          onInput={onInput}
          autoComplete="off"
          enterKeyHint="search"
          maxLength={maxLength}
          className="min-w-0 grow self-stretch bg-transparent text-start text-base outline-transparent placeholder:text-muted in-[[dir=rtl]]:text-right"
        />
        {Object.entries(keep).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" className="min-h-9 shrink-0 rounded-md pointer-coarse:min-h-11 px-3 font-semibold text-accent-ink text-sm hover:bg-sunken">
          {words.submit}
        </button>
      </form>
    </search>
  );
}
