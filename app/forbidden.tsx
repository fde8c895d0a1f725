import type { Metadata } from "next";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { ButtonLink } from "#components/ui/link";
import { PageHeader } from "#components/ui/page-header";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("forbidden");
  return { title: t("title") };
}

/** The visitor is signed in, and may not see this. */
export default function Forbidden() {
  const t = useTranslations("forbidden");
  return (
    <>
      <PageHeader title={t("title")} intro={t("text")} />
      <div>
        <ButtonLink href="/">{t("home")}</ButtonLink>
      </div>
    </>
  );
}
