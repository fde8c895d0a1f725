import type { Metadata, Viewport } from "next";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { EmailAddress } from "#components/email-address";
import { FocusKeeper } from "#components/focus-keeper";
import { SiteAccent } from "#components/site-accent";
import { SiteFooter } from "#components/site-footer";
import { SiteHeader } from "#components/site-header";
import { Link } from "#components/ui/link";
import { Notice } from "#components/ui/notice";
import { THEMES } from "#lib/browser-choices";
import { directionOf, LOCALE_NAMES } from "#lib/locales";
import { plainTextOf } from "#lib/markdown";
import { iconPath, siteIcon } from "#server/icons";
import { signOut } from "./(auth)/actions.ts";
import { chooseLocale, chooseTheme } from "./actions.ts";
import { fontClasses } from "./fonts.ts";
import { PageKeyboard } from "./page-keyboard.tsx";
import { currentLocale, currentTheme, hasShortcuts } from "./preferences.ts";
import { currentFrame, currentNonce, currentSiteUrl } from "./visit.ts";
import "./globals.css";

/** Every page is called "Page · Site title". */
export async function generateMetadata(): Promise<Metadata> {
  const site = await currentFrame();
  const { title, description, logo } = site;
  const [t, tHome] = await Promise.all([getTranslations("site"), getTranslations("home")]);
  return {
    // What a site is called may not be known while its database is away: then its pages say what they are alone.
    title: { default: title, template: title ? t("pageTitle", { page: "%s", site: title }) : "%s" },
    description: plainTextOf(description) || tHome("intro"),
    metadataBase: new URL(await currentSiteUrl()),
    manifest: "/manifest.webmanifest",
    icons: {
      icon: logo ? { url: logo } : { url: "/icon.svg", type: "image/svg+xml" },
      apple: { url: iconPath(siteIcon(site, "180.png")), sizes: "180x180", type: "image/png" },
    },
  };
}

/** What browsers paint around the page: `--surface` of each look (`globals.css`). */
const SURFACE = { light: "#ffffff", dark: "#1c1a18" } as const;

export async function generateViewport(): Promise<Viewport> {
  const theme = await currentTheme();
  if (theme) return { themeColor: SURFACE[theme] };
  return { themeColor: THEMES.map((each) => ({ media: `(prefers-color-scheme: ${each})`, color: SURFACE[each] })) };
}

/** What every page stands in: header, main part, footer. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const [site, locale, theme, areShortcutsOn] = await Promise.all([currentFrame(), currentLocale(), currentTheme(), hasShortcuts()]);
  const { title, logo, user, isSetUp, canManage, allowSignup, accentColor, contact, imprintUrl, privacyUrl, showPoweredBy } = site;
  return (
    <html lang={locale} dir={directionOf(locale)} data-theme={theme ?? undefined} className={fontClasses}>
      <head>
        <SiteAccent color={accentColor} nonce={await currentNonce()} />
        {/* A slow device would paint the page in parts, and what stands at the end of a row would move as the rest of it comes. */}
        <link rel="expect" href="#end" blocking="render" />
      </head>
      <body className="flex min-h-dvh flex-col font-sans antialiased">
        <SkipLink />
        <SiteHeader siteTitle={title} logo={logo} isSetUp={isSetUp} user={user} canManage={canManage} allowSignup={allowSignup} signOut={signOut} />
        <main id="content" tabIndex={-1} className="mx-auto grid w-full max-w-6xl grow content-start gap-8 px-4 py-8 fades-when-busy sm:px-6 sm:py-10">
          {user && !user.isVerified && <UnconfirmedNotice email={user.email} />}
          {children}
        </main>
        <SiteFooter
          isSetUp={isSetUp}
          theme={theme}
          locale={locale}
          localeNames={LOCALE_NAMES}
          contact={contact}
          imprintUrl={imprintUrl}
          privacyUrl={privacyUrl}
          showPoweredBy={showPoweredBy}
          chooseTheme={chooseTheme}
          chooseLocale={chooseLocale}
        />
        <div id="end" hidden />
        <FocusKeeper to="content" />
        {isSetUp && <PageKeyboard userId={user?.userId ?? null} canManage={canManage} isOn={areShortcutsOn} />}
      </body>
    </html>
  );
}

function SkipLink() {
  const t = useTranslations("site");
  return (
    <a
      href="#content"
      className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:m-2 focus:rounded-md focus:bg-raised focus:px-4 focus:py-3 focus:shadow-overlay"
    >
      {t("skip")}
    </a>
  );
}

/** On every page, above what it is about, but where a new account is told of its letter. What became of the letter, and how its owner comes by the link, says the page that it leads to. */
function UnconfirmedNotice({ email }: { email: string }) {
  const t = useTranslations("site");
  return (
    <div data-banner className="[main:has([data-new-account])_&]:hidden">
      <Notice tone="warning">
        <p>
          {t.rich("unconfirmed", {
            email: () => <EmailAddress address={email} className="font-medium" />,
            link: (text) => (
              <Link href="/confirm-address" className="whitespace-nowrap font-medium underline underline-offset-4">
                {text}
              </Link>
            ),
          })}
        </p>
      </Notice>
    </div>
  );
}
