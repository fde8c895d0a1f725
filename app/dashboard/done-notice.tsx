import { useTranslations } from "next-intl";
import { Outcome } from "#components/ui/outcome";

type DoneNoticeProps = {
  page: "boards" | "settings" | "outbox";
  /** What the page's address says was just done; anybody can write there, so only what `messages` knows is shown. */
  notice: string | undefined;
};

/** Says that what a form on `page` asked for was done. */
export function DoneNotice({ page, notice }: DoneNoticeProps) {
  const t = useTranslations(`${page}.notices`);
  if (!notice || !/^[a-z]+$/.test(notice) || !t.has(notice)) return null;
  return <Outcome>{t(notice)}</Outcome>;
}
