import { useTranslations } from "next-intl";
import { Pagination } from "#components/ui/pagination";

type PageLinksProps = {
  /** Which page this is, from 1. */
  page: number;
  pages: number;
  /** The address of a page of the same list. */
  href: (page: number) => string;
};

/** Links to the pages before and behind in a list whose pages are numbered. */
export function PageLinks({ page, pages, href }: PageLinksProps) {
  const t = useTranslations("pages");
  if (page === 1 && pages <= 1) return null;
  return (
    <div className="pt-4">
      <Pagination
        label={t("label")}
        previous={page > 1 ? { href: href(page - 1), text: t("previous") } : null}
        next={page < pages ? { href: href(page + 1), text: t("next") } : null}
        position={t("position", { page, pages })}
      />
    </div>
  );
}
