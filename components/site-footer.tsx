import { Check, Languages, Monitor, Moon, Rss, Sun } from "lucide-react";
import { useTranslations } from "next-intl";
import { Link } from "./ui/link.tsx";
import { MENU_ITEM, Menu } from "./ui/menu.tsx";

type SiteFooterProps = {
  /** Before set-up there is nowhere to go. */
  isSetUp: boolean;
  theme: "light" | "dark" | null;
  locale: string;
  /** The languages on offer, each named in itself. */
  localeNames: Record<string, string>;
  /** An email address or a web address, or empty. */
  contact: string;
  imprintUrl: string;
  privacyUrl: string;
  showPoweredBy: boolean;
  chooseTheme: (form: FormData) => Promise<void>;
  chooseLocale: (form: FormData) => Promise<void>;
};

const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon };
const LINK =
  "inline-flex min-h-10 items-center gap-1.5 rounded-md px-2 text-muted text-sm underline-offset-4 hover:text-ink hover:underline pointer-coarse:min-h-11 pointer-coarse:min-w-11";

/** The bottom of every page: what it runs on, whom it belongs to, language and theme. */
export function SiteFooter({
  isSetUp,
  theme,
  locale,
  localeNames,
  contact,
  imprintUrl,
  privacyUrl,
  showPoweredBy,
  chooseTheme,
  chooseLocale,
}: SiteFooterProps) {
  const t = useTranslations("site");
  return (
    <footer className="border-line border-t">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-5 sm:px-6">
        {/* While the database is away the site counts as not set up, and what the owner links to is known all the same. */}
        {isSetUp || contact || privacyUrl || imprintUrl ? (
          <FooterLinks isSetUp={isSetUp} contact={contact} imprintUrl={imprintUrl} privacyUrl={privacyUrl} showPoweredBy={showPoweredBy} />
        ) : (
          <p className="text-muted text-sm">{showPoweredBy && t("footer")}</p>
        )}
        <div className="flex items-center gap-2 max-lg:-ms-2">
          <Menu
            placement="above"
            align="start"
            triggerClassName={LINK}
            trigger={<LanguageTrigger label={t("language")} name={localeNames[locale] ?? locale} />}
          >
            <form action={chooseLocale}>
              {Object.entries(localeNames).map(([value, name]) => (
                <button key={value} type="submit" name="locale" value={value} lang={value} aria-pressed={value === locale} className={MENU_ITEM}>
                  <span className="grow">{name}</span>
                  {value === locale && <Check aria-hidden="true" className="size-4" />}
                </button>
              ))}
            </form>
          </Menu>
          <ThemeSwitch theme={theme} chooseTheme={chooseTheme} />
        </div>
      </div>
    </footer>
  );
}

type FooterLinksProps = Pick<SiteFooterProps, "isSetUp" | "contact" | "imprintUrl" | "privacyUrl" | "showPoweredBy">;

function FooterLinks({ isSetUp, contact, imprintUrl, privacyUrl, showPoweredBy }: FooterLinksProps) {
  const t = useTranslations("site");
  return (
    <nav aria-label={t("legal")} className="-ms-2 flex flex-wrap gap-x-2">
      {isSetUp && (
        <>
          <a href="/feed.atom" className={LINK}>
            <Rss aria-hidden="true" className="size-4" />
            {t("feedOfAll")}
          </a>
          <Link href="/api/v1/docs" className={LINK}>
            {t("apiReference")}
          </Link>
        </>
      )}
      {contact && (
        <a href={contactHref(contact)} className={LINK}>
          {t("contact")}
        </a>
      )}
      {privacyUrl && (
        <a href={privacyUrl} className={LINK}>
          {t("privacy")}
        </a>
      )}
      {imprintUrl && (
        <a href={imprintUrl} className={LINK}>
          {t("imprint")}
        </a>
      )}
      {/* No link: told apart from those beside it, or on a row of its own. */}
      {showPoweredBy && (
        <p className="flex min-h-10 text-balance items-center px-2 text-muted text-xs max-lg:basis-full lg:before:me-4 lg:before:h-4 lg:before:border-line-strong/60 lg:before:border-s">
          {t("footer")}
        </p>
      )}
    </nav>
  );
}

/** RFC 6068: what means something in an address of its own is escaped. */
function contactHref(contact: string): string {
  if (/^https?:/i.test(contact)) return contact;
  const at = contact.lastIndexOf("@");
  return `mailto:${encodeURIComponent(contact.slice(0, at))}${contact.slice(at)}`;
}

function LanguageTrigger({ label, name }: { label: string; name: string }) {
  return (
    <>
      <Languages aria-hidden="true" className="size-4" />
      <span className="sr-only">{label}: </span>
      {name}
    </>
  );
}

/** Light, dark, or as the system says. */
function ThemeSwitch({ theme, chooseTheme }: Pick<SiteFooterProps, "theme" | "chooseTheme">) {
  const t = useTranslations("site.themes");
  return (
    <form action={chooseTheme}>
      <fieldset className="flex gap-0.5 rounded-full border border-line bg-surface p-0.5">
        <legend className="sr-only">{t("label")}</legend>
        {(["system", "light", "dark"] as const).map((choice) => {
          const Icon = THEME_ICONS[choice];
          return (
            <button
              key={choice}
              type="submit"
              name="theme"
              value={choice}
              aria-pressed={(theme ?? "system") === choice}
              title={t(choice)}
              className="inline-flex size-8 items-center justify-center rounded-full text-muted hover:text-ink aria-pressed:bg-sunken aria-pressed:text-ink pointer-coarse:size-11"
            >
              <Icon aria-hidden="true" className="size-4" />
              <span className="sr-only">{t(choice)}</span>
            </button>
          );
        })}
      </fieldset>
    </form>
  );
}
