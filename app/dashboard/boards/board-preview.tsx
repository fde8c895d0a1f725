"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { BoardCard } from "#components/board-card";
import { BoardName } from "#components/board-name";
import { OWN_COLOR, ownColorName } from "#components/ui/own-color";

type Shown = { name: string; color: string; description: string; isPrivate: boolean };

type BoardPreviewProps = {
  /** The board as it is now; of its description the words alone, as the card shows them. */
  board: Shown;
  badge: ReactNode;
  facts: ReactNode;
  /** `privateTitle`: over the card of a board that no visitor sees. */
  words: { title: string; privateTitle: string; noName: string };
};

/** The board's card as those who may see it will, following the form that it stands in. Without JavaScript it could not, and is not shown. */
export function BoardPreview({ board, badge, facts, words }: BoardPreviewProps) {
  const [shown, setShown] = useState(board);
  const place = useRef<HTMLElement>(null);

  useEffect(() => {
    const form = place.current?.closest("form");
    if (!form) return;
    const follow = async () => {
      const typed = boardOf(new FormData(form));
      setShown({ ...typed, description: await plainTextOf(typed.description) });
    };
    follow();
    form.addEventListener("input", follow);
    return () => form.removeEventListener("input", follow);
  }, []);

  const name = shown.name.trim();
  const title = shown.isPrivate ? words.privateTitle : words.title;
  return (
    <aside ref={place} aria-label={title} className="grid content-start gap-2 noscript:hidden max-xl:order-first xl:sticky xl:top-8 xl:self-start">
      <p className="font-medium text-muted text-sm">{title}</p>
      <BoardCard
        name={name}
        color={shown.color}
        description={shown.description}
        heading={
          <p className={`min-w-0 text-lg tracking-tight ${name ? "font-semibold" : "text-muted"}`}>
            {name ? <BoardName name={name} besideTile isCut /> : words.noName}
          </p>
        }
        badge={shown.isPrivate && badge}
        facts={facts}
      />
    </aside>
  );
}

/** What reads the description comes when the page is alive; where it does not come, what was typed is shown as it is. */
async function plainTextOf(text: string): Promise<string> {
  const markdown = await import("#lib/markdown").catch(() => null);
  return markdown?.plainTextOf(text) ?? text;
}

function boardOf(form: FormData): Shown {
  const text = (name: string) => String(form.get(name) ?? "");
  const color = text("color") === OWN_COLOR ? text(ownColorName("color")).slice(1) : text("color");
  return { name: text("name"), color, description: text("description"), isPrivate: form.has("isPrivate") };
}
