import { useTranslations } from "next-intl";

/** The bottom of every page. */
export function SiteFooter() {
  const t = useTranslations("site");
  return (
    <footer className="border-line border-t">
      <p className="mx-auto max-w-5xl px-4 py-6 text-muted text-sm sm:px-6">{t("footer")}</p>
    </footer>
  );
}
