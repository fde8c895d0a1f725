"use client";

import { useEffect, useRef, useState } from "react";
import { splitEmoji } from "#lib/emoji";
import { BoardTile } from "./board-tile.tsx";
import { SiteMark } from "./site-mark.tsx";

/** What a choice of the first board brings, by its value. */
export type PreviewBoard = { name: string; description: string; color: string };

type SetupPreviewProps = {
  label: string;
  siteTitle: string;
  /** The boards on offer; a value that is not among them is the person's own. */
  boards: Record<string, PreviewBoard>;
  template: string;
  noPosts: string;
  /** On the button. */
  action: string;
};

/** The site's first page as it will look, drawn anew with every letter typed into the form around it. */
export function SetupPreview({ label, siteTitle, boards, template, noPosts, action }: SetupPreviewProps) {
  const preview = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState({ siteTitle, template, boardName: "" });

  useEffect(() => {
    const form = preview.current?.closest("form");
    const read = () => {
      if (!form) return;
      const answers = new FormData(form);
      const textOf = (name: string) => String(answers.get(name) ?? "");
      setTyped({ siteTitle: textOf("siteTitle"), template: textOf("template"), boardName: textOf("boardName") });
      // The security policy forbids style attributes, not properties that are set by the page's own program.
      preview.current?.style.setProperty("--site-accent", textOf("accentColor"));
    };
    read();
    form?.addEventListener("input", read);
    return () => form?.removeEventListener("input", read);
  }, []);

  const own = { name: typed.boardName, description: "", color: "2563eb" };
  const board = typed.template === "none" ? null : (boards[typed.template] ?? own);
  return (
    <div ref={preview} aria-hidden="true" className="accented grid grid-cols-1 overflow-hidden rounded-lg border border-line bg-paper shadow-raised">
      <p className="border-line border-b bg-sunken px-4 py-2 text-muted text-xs">{label}</p>
      <div className="flex items-center gap-2 border-line border-b bg-surface px-4 py-3 font-semibold text-sm">
        <SiteMark logo={null} className="size-5" />
        <bdi className="truncate">{typed.siteTitle || siteTitle}</bdi>
        <span className="ms-auto shrink-0 rounded-sm bg-accent px-2.5 py-1 text-on-accent text-xs forced-colors:border">{action}</span>
      </div>
      <div className="grid gap-4 px-4 py-6">
        <p dir="auto" className="line-clamp-3 font-semibold text-2xl">
          {typed.siteTitle || siteTitle}
        </p>
        {board?.name && (
          <div className="flex items-start gap-3 rounded-md border border-line bg-surface p-3 shadow-low">
            <BoardTile name={board.name} color={board.color} size="small" />
            <div className="grid min-w-0 gap-0.5 text-xs">
              <bdi className="w-fit max-w-full truncate font-semibold text-sm">{splitEmoji(board.name).text}</bdi>
              <span dir="auto" className="line-clamp-2 text-muted">
                {board.description || noPosts}
              </span>
            </div>
          </div>
        )}
        <span className="h-3 w-2/3 rounded-full bg-sunken forced-colors:border" />
        <span className="h-3 w-1/2 rounded-full bg-sunken forced-colors:border" />
      </div>
    </div>
  );
}
