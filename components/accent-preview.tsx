import { useTranslations } from "next-intl";
import { SiteMark } from "./site-mark.tsx";
import { Badge } from "./ui/badge.tsx";
import { buttonStyle } from "./ui/button-style.ts";

/** The same few things in both themes, whichever the page is in: a logo, too, which may be hard to see in one of them. */
export function AccentPreview({ logo }: { logo: string | null }) {
  const t = useTranslations("settings.preview");
  return (
    <section aria-label={t("title")} className="grid gap-3 sm:grid-cols-2">
      {(["light", "dark"] as const).map((theme) => (
        <div key={theme} data-theme={theme} className="grid content-start gap-3 rounded-lg border border-line bg-paper p-4 text-ink">
          <p className="text-muted text-xs">{t(theme)}</p>
          <div className="grid justify-items-start gap-3 rounded-lg border border-line bg-surface p-4 shadow-low">
            <SiteMark logo={logo} />
            <p className="flex flex-wrap items-center gap-2 font-semibold">
              {t("heading")}
              <Badge>{t("badge")}</Badge>
            </p>
            <span className="text-accent-ink underline underline-offset-4">{t("link")}</span>
            <span className={buttonStyle()}>{t("button")}</span>
          </div>
        </div>
      ))}
    </section>
  );
}
