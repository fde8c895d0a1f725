import type { Metadata } from "next";
import { headers } from "next/headers";
import { useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { SiteFooter } from "#components/site-footer";
import { SiteHeader } from "#components/site-header";
import { Link } from "#components/ui/link";
import { Notice } from "#components/ui/notice";
import { env } from "#lib/env";
import { signOut } from "./(auth)/actions.ts";
import { currentFrame } from "./visit.ts";
import "./globals.css";

/** Every page is called "Page · Site title". */
export async function generateMetadata(): Promise<Metadata> {
  const { title, description } = await currentFrame();
  const t = await getTranslations("site");
  return {
    title: { default: title, template: t("pageTitle", { page: "%s", site: title }) },
    description: description || undefined,
    icons: { icon: { url: "/icon.svg", type: "image/svg+xml" } },
  };
}

/** What every page stands in: header, main part, footer. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const { title, user, isSetUp, canManage, allowSignup, accentColor } = await currentFrame();
  return (
    <html lang={await getLocale()} dir="ltr">
      <head>{accentColor && <SiteAccent color={accentColor} nonce={await pageNonce()} />}</head>
      <body className="flex min-h-dvh flex-col font-sans antialiased">
        <SkipLink />
        <SiteHeader siteTitle={title} isSetUp={isSetUp} user={user} canManage={canManage} allowSignup={allowSignup} signOut={signOut} />
        <main id="content" tabIndex={-1} className="mx-auto grid w-full max-w-5xl grow content-start gap-8 px-4 py-8 sm:px-6 sm:py-10">
          {user && !user.isVerified && <UnconfirmedNotice email={user.email} isInOutbox={canManage && env().MAIL === "outbox"} />}
          {children}
        </main>
        <SiteFooter />
      </body>
    </html>
  );
}

function SkipLink() {
  const t = useTranslations("site");
  return (
    <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:m-2 focus:rounded-md focus:bg-surface focus:px-4 focus:py-3">
      {t("skip")}
    </a>
  );
}

/** The owner's colour. A style element with the page's nonce, for the security policy allows no style attribute. */
function SiteAccent({ color, nonce }: { color: string; nonce: string | undefined }) {
  // A browser hides the nonce once it has read it, which React would take for a difference.
  return (
    <style nonce={nonce} suppressHydrationWarning>
      {`:root{--site-accent:#${color}}`}
    </style>
  );
}

/** Where letters stay in the outbox, they arrive nowhere: who may read it is led to it. */
function UnconfirmedNotice({ email, isInOutbox }: { email: string; isInOutbox: boolean }) {
  const t = useTranslations("site");
  return (
    <Notice tone="warning">
      <p>
        {t.rich(isInOutbox ? "unconfirmedInOutbox" : "unconfirmed", {
          email: () => <bdi className="font-medium">{email}</bdi>,
          link: (text) => (
            <Link href={isInOutbox ? "/dashboard/outbox" : "/confirm-address"} className="font-medium underline underline-offset-4">
              {text}
            </Link>
          ),
        })}
      </p>
    </Notice>
  );
}

async function pageNonce(): Promise<string | undefined> {
  const policy = (await headers()).get("content-security-policy") ?? "";
  return /'nonce-([^']+)'/.exec(policy)?.[1];
}
