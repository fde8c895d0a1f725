import { useTranslations } from "next-intl";
import { Outcome } from "#components/ui/outcome";

type DoneNoticeProps = {
  page: "boards" | "people" | "settings" | "outbox";
  /** What the page's address says was just done; anybody can write there, so only what `messages` knows is shown. */
  notice: string | undefined;
};

/** Says that what a form on `page` asked for was done. That a file was too large is no such thing: see `TooLargeNotice`. */
export function DoneNotice({ page, notice }: DoneNoticeProps) {
  const t = useTranslations(`${page}.notices`);
  // Every object has a "constructor", which is no text.
  if (!notice || !/^[a-z]+$/.test(notice) || !t.has(notice) || typeof t.raw(notice) !== "string") return null;
  return <Outcome>{t(notice)}</Outcome>;
}
